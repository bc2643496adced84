import { type Migration, TABLE } from './migration.js';

/** What of a job is still to be sent: its journal stays until then. */
export const outboxJob: Migration = {
  name: '0070-outbox-job',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_outbox_job ON bz_outbox (job_id)',
  mysql: 'CREATE INDEX bz_outbox_job ON bz_outbox (job_id)',
};

/**
 * Where retention cut each chain of the ledger: the last line that went, its hash, and the line of the ledger that says so (`told`). The row is the
 * index, the told line the evidence: a row that does not say what its line says is found by `bailing audit verify`.
 */
export const auditCuts: Migration = {
  name: '0071-audit-cuts',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_audit_cuts (
    writer INTEGER NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, told_writer INTEGER NOT NULL, told_seq INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_audit_cuts (
    writer BIGINT NOT NULL PRIMARY KEY, seq BIGINT NOT NULL, hash VARCHAR(64) NOT NULL, told_writer BIGINT NOT NULL, told_seq BIGINT NOT NULL,
    KEY bz_audit_cuts_told (told_writer, told_seq)) ${TABLE}`,
};

export const auditCutsTold: Migration = {
  name: '0072-audit-cuts-told',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_audit_cuts_told ON bz_audit_cuts (told_writer, told_seq)',
  mysql: null,
};
