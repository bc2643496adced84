import { type Migration, TABLE } from './migration.js';

/** What the hub must still send (WIRE §10.1). */
export const outbox: Migration = {
  name: '0030-outbox',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_outbox (
    id INTEGER PRIMARY KEY, dedupe TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, ref TEXT NOT NULL, target TEXT NOT NULL, body TEXT, job_id TEXT NOT NULL,
    request_id TEXT NOT NULL, sign_as TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL, next_at INTEGER NOT NULL, error TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_outbox (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, dedupe VARCHAR(191) NOT NULL, kind VARCHAR(64) NOT NULL, ref VARCHAR(191) NOT NULL,
    target LONGTEXT NOT NULL, body LONGTEXT, job_id VARCHAR(64) NOT NULL, request_id VARCHAR(191) NOT NULL, sign_as VARCHAR(191) NOT NULL,
    state VARCHAR(16) NOT NULL, attempt INT NOT NULL, next_at BIGINT NOT NULL, error LONGTEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    UNIQUE KEY bz_outbox_dedupe (dedupe), KEY bz_outbox_due (state, next_at)) ${TABLE}`,
};

export const outboxDue: Migration = {
  name: '0032-outbox-due',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_outbox_due ON bz_outbox (state, next_at)',
  mysql: null,
};

/** Verdicts of people and probes on attempts nobody knew the outcome of (WIRE §8.3); kept for ever. */
export const settlements: Migration = {
  name: '0033-tool-settlements',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_tool_settlements (
    execution_id INTEGER NOT NULL, attempt INTEGER NOT NULL, job_id TEXT NOT NULL, tool TEXT NOT NULL, idempotency_key TEXT NOT NULL,
    verdict TEXT NOT NULL, settled_by TEXT NOT NULL, evidence TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (execution_id, attempt)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_tool_settlements (
    execution_id BIGINT NOT NULL, attempt INT NOT NULL, job_id VARCHAR(64) NOT NULL, tool VARCHAR(191) NOT NULL, idempotency_key VARCHAR(64) NOT NULL,
    verdict VARCHAR(16) NOT NULL, settled_by VARCHAR(191) NOT NULL, evidence LONGTEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (execution_id, attempt)) ${TABLE}`,
};

/** Work that one replica does for all. */
export const duties: Migration = {
  name: '0034-duties',
  sqlite:
    'CREATE TABLE IF NOT EXISTS bz_duties (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
  mysql: `CREATE TABLE IF NOT EXISTS bz_duties (name VARCHAR(191) NOT NULL PRIMARY KEY, holder VARCHAR(191) NOT NULL, until BIGINT NOT NULL) ${TABLE}`,
};
