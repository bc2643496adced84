import { type Migration, TABLE } from './migration.js';

/** The ledger (WIRE §15.1): append-only, each line chained to its writer's line before. */
export const audit: Migration = {
  name: '0012-audit',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_audit (
    id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, request_id TEXT NOT NULL, ts INTEGER NOT NULL, event TEXT NOT NULL, stage TEXT NOT NULL,
    severity TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, detail TEXT NOT NULL, writer INTEGER NOT NULL, seq INTEGER NOT NULL,
    prev TEXT NOT NULL, hash TEXT NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_audit (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, job_id VARCHAR(64) NOT NULL, request_id VARCHAR(191) NOT NULL, ts BIGINT NOT NULL,
    event VARCHAR(64) NOT NULL, stage VARCHAR(32) NOT NULL, severity VARCHAR(16) NOT NULL, title VARCHAR(128) NOT NULL,
    summary VARCHAR(512) NOT NULL, detail LONGTEXT NOT NULL, writer BIGINT NOT NULL, seq BIGINT NOT NULL, prev VARCHAR(64) NOT NULL,
    hash VARCHAR(64) NOT NULL, KEY bz_audit_job (job_id), UNIQUE KEY bz_audit_chain (writer, seq)) ${TABLE}`,
};

export const auditJob: Migration = {
  name: '0013-audit-job',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_audit_job ON bz_audit (job_id)',
  mysql: null,
};

export const auditChain: Migration = {
  name: '0014-audit-chain',
  sqlite: 'CREATE UNIQUE INDEX IF NOT EXISTS bz_audit_chain ON bz_audit (writer, seq)',
  mysql: null,
};

export const auditWriters: Migration = {
  name: '0015-audit-writers',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_audit_writers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, started_at INTEGER NOT NULL, named_seq INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_audit_writers (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255) NOT NULL, started_at BIGINT NOT NULL, named_seq BIGINT NOT NULL,
    UNIQUE KEY bz_audit_writers_name (name)) ${TABLE}`,
};
