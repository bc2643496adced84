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

/** One page of the whole ledger with its chains. */
export const ledgerPage = statement<[after: number, limit: number], ChainedRow>(
  'ledger-page',
  `SELECT ${LINE}, writer, seq, prev, hash FROM bz_audit WHERE id > ? ORDER BY id LIMIT ?`,
);

/** Lines of one chain between two others, written under an id before `id`. */
export const linesBetween = statement<[writer: number, after: number, before: number, id: number, limit: number], ChainedRow>(
  'lines-between',
  `SELECT ${LINE}, writer, seq, prev, hash FROM bz_audit WHERE writer = ? AND seq > ? AND seq < ? AND id < ? ORDER BY seq LIMIT ?`,
);

export const hashAt = statement<[writer: string, seq: number], { readonly hash: string }>(
  'hash-at',
  'SELECT a.hash FROM bz_audit_writers w JOIN bz_audit a ON a.writer = w.id WHERE w.name = ? AND a.seq = ?',
);
