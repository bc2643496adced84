import { type Migration, TABLE } from './migration.js';

/** The execution journal (WIRE §8.1). */
export const toolExecutions: Migration = {
  name: '0006-tool-executions',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_tool_executions (
    id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, on_behalf_of TEXT NOT NULL, tool TEXT NOT NULL, scope TEXT NOT NULL, args_hash TEXT NOT NULL,
    state TEXT NOT NULL, idempotency_key TEXT NOT NULL, args TEXT NOT NULL, request_digest TEXT NOT NULL, provider TEXT NOT NULL,
    fingerprint TEXT NOT NULL, owner TEXT NOT NULL, send_by INTEGER NOT NULL, attempt INTEGER NOT NULL, attempted_at INTEGER NOT NULL,
    ok INTEGER, status INTEGER, result_text TEXT, error TEXT NOT NULL, recorded_at INTEGER, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, probes INTEGER NOT NULL DEFAULT 0, probe_at INTEGER, evidence TEXT)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_tool_executions (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, job_id VARCHAR(64) NOT NULL, on_behalf_of VARCHAR(191) NOT NULL, tool VARCHAR(191) NOT NULL,
    scope VARCHAR(191) NOT NULL, args_hash VARCHAR(64) NOT NULL, state VARCHAR(24) NOT NULL, idempotency_key VARCHAR(64) NOT NULL,
    args LONGTEXT NOT NULL, request_digest VARCHAR(64) NOT NULL, provider VARCHAR(191) NOT NULL, fingerprint VARCHAR(128) NOT NULL,
    owner VARCHAR(191) NOT NULL, send_by BIGINT NOT NULL, attempt INT NOT NULL, attempted_at BIGINT NOT NULL, ok TINYINT, status INT,
    result_text LONGTEXT, error VARCHAR(500) NOT NULL, recorded_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    probes INT NOT NULL DEFAULT 0, probe_at BIGINT, evidence LONGTEXT,
    UNIQUE KEY bz_tool_executions_call (job_id, tool, args_hash), KEY bz_tool_executions_open (job_id, state), KEY bz_tool_executions_unresolved (state, id)) ${TABLE}`,
};

export const toolExecutionsCall: Migration = {
  name: '0007-tool-executions-call',
  sqlite: 'CREATE UNIQUE INDEX IF NOT EXISTS bz_tool_executions_call ON bz_tool_executions (job_id, tool, args_hash)',
  mysql: null,
};

export const toolExecutionsOpen: Migration = {
  name: '0008-tool-executions-open',
  sqlite: `CREATE INDEX IF NOT EXISTS bz_tool_executions_open ON bz_tool_executions (job_id) WHERE state <> 'completed'`,
  mysql: null,
};

/** Everything unresolved, whoever's job it is: what operators list and what the probe looks through. */
export const toolExecutionsUnresolved: Migration = {
  name: '0031-tool-executions-unresolved',
  sqlite: `CREATE INDEX IF NOT EXISTS bz_tool_executions_unresolved ON bz_tool_executions (id) WHERE state <> 'completed' AND state <> 'released'`,
  mysql: null,
};
