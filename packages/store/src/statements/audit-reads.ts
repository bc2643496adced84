import { statement } from './statement.js';

export interface LineRow {
  readonly id: number;
  readonly job_id: string;
  readonly request_id: string;
  readonly ts: number;
  readonly event: string;
  readonly stage: string;
  readonly severity: string;
  readonly title: string;
  readonly summary: string;
  readonly detail: string;
}

export interface ChainedRow extends LineRow {
  readonly writer: number;
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
}

const LINE = 'id, job_id, request_id, ts, event, stage, severity, title, summary, detail';

/** One page of the ledger of a job, in order of writing. */
export const linesOfJob = statement<[job: string, after: number, limit: number], LineRow>(
  'lines-of-job',
  `SELECT ${LINE} FROM bz_audit WHERE job_id = ? AND id > ? ORDER BY id LIMIT ?`,
);

/** Lines of the hub itself, which belong to no job, newest first. */
export const linesOfHub = statement<[before: number, limit: number], LineRow>(
  'lines-of-hub',
  `SELECT ${LINE} FROM bz_audit WHERE job_id = '-' AND id < ? ORDER BY id DESC LIMIT ?`,
);

const TEXTS = ['job_id', 'request_id', 'event', 'stage', 'severity', 'title', 'summary', 'detail', 'prev', 'hash'];

/** The driver of SQLite cuts text at a NUL when it reads it, but bytes come whole: what is verified must be what is stored. */
const CHAINED = {
  sqlite: `id, ts, writer, seq, ${TEXTS.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ')}`,
  mysql: `${LINE}, writer, seq, prev, hash`,
};

const chained = (where: string) => ({
  sqlite: `SELECT ${CHAINED.sqlite} FROM bz_audit WHERE ${where}`,
  mysql: `SELECT ${CHAINED.mysql} FROM bz_audit WHERE ${where}`,
});

/** One page of the whole ledger with its chains. */
export const ledgerPage = statement<[after: number, limit: number], ChainedRow>('ledger-page', chained('id > ? ORDER BY id LIMIT ?'));

/** Lines of one chain between two others, written under an id before `id`. */
export const linesBetween = statement<[writer: number, after: number, before: number, id: number, limit: number], ChainedRow>(
  'lines-between',
  chained('writer = ? AND seq > ? AND seq < ? AND id < ? ORDER BY seq LIMIT ?'),
);

/** One chain in its own order. */
export const chainAfter = statement<[writer: number, after: number, limit: number], ChainedRow>(
  'chain-after',
  chained('writer = ? AND seq > ? ORDER BY seq LIMIT ?'),
);

const HASH_AT = 'FROM bz_audit_writers w JOIN bz_audit a ON a.writer = w.id WHERE w.name = ? AND a.seq = ?';

export const hashAt = statement<[writer: string, seq: number], { readonly hash: string }>('hash-at', {
  sqlite: `SELECT CAST(a.hash AS BLOB) AS hash ${HASH_AT}`,
  mysql: `SELECT a.hash ${HASH_AT}`,
});

/** The tables of a ledger that are there: two, or this database never was a hub's. */
export const ledgerTables = statement<[], { readonly name: string }>('ledger-tables', {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('bz_audit', 'bz_audit_writers')`,
  mysql: `SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = DATABASE() AND table_name IN ('bz_audit', 'bz_audit_writers')`,
});
