import { listStatement, marks, statement } from './statement.js';

export interface JournalStep {
  readonly id: number;
  readonly job_id: string;
  readonly state: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The journal in order of its making, without what is long: how a round of retention walks to the first row that is too young. */
export const journalAfter = statement<[after: number, limit: number], JournalStep>(
  'journal-after',
  'SELECT id, job_id, state, created_at, updated_at FROM bz_tool_executions WHERE id > ? ORDER BY id LIMIT ?',
);

/**
 * Jobs among some that are over, and were by a given time. Locked where there is more than one writer: nobody queues them again while their rows
 * go. A job somebody else has locked is busy, and left to the next round. Parameters: jobs …, time.
 */
export const endedJobs = listStatement<{ readonly id: string }>('ended-jobs', (length) => {
  const select = `SELECT id FROM bz_jobs WHERE id IN (${marks(length)}) AND status IN ('done', 'error', 'rejected') AND updated_at <= ?`;
  return { sqlite: select, mysql: `${select} FOR UPDATE SKIP LOCKED` };
});

/** Jobs among some with an unknown write, an open or unspent approval, or something unsent. Parameters: the jobs, three times. */
export const jobsInNeed = listStatement<{ readonly job_id: string }>('jobs-in-need', (length) => {
  const jobs = `job_id IN (${marks(length)})`;
  return `SELECT job_id FROM bz_tool_executions WHERE ${jobs} AND state <> 'completed' AND state <> 'released'
    UNION ALL SELECT job_id FROM bz_tool_approvals WHERE ${jobs} AND status IN ('pending', 'approved') AND used_at IS NULL
    UNION ALL SELECT job_id FROM bz_outbox WHERE ${jobs} AND state IN ('waiting', 'dead')`;
});

/**
 * SQLite gives a new row the number after the highest that is there. So the last row of a table stays, and in the journal the last that nobody may
 * take back: a number that was given once never comes again, and who still holds it moves nothing of somebody else's. MySQL counts on by itself.
 * Parameters: ids …, time.
 */
export const dropExecutions = listStatement('drop-executions', (length) => {
  const drop = `DELETE FROM bz_tool_executions WHERE id IN (${marks(length)}) AND state = 'completed' AND updated_at <= ?`;
  const last = `SELECT id FROM bz_tool_executions WHERE id > 0 AND state <> 'dispatching' ORDER BY id DESC LIMIT 1`;
  return { sqlite: `${drop} AND id < (${last})`, mysql: drop };
});

export const failuresAfter = statement<[after: string, limit: number], { readonly job_id: string }>(
  'failures-after',
  'SELECT job_id FROM bz_tool_failures WHERE job_id > ? GROUP BY job_id ORDER BY job_id LIMIT ?',
);

export const dropFailures = listStatement('drop-failures', (length) => `DELETE FROM bz_tool_failures WHERE job_id IN (${marks(length)})`);

/** What was sent by a given time, oldest first: the time of its end stands where the next attempt would. */
export const sentBefore = statement<[time: number, limit: number], { readonly id: number }>(
  'sent-before',
  `SELECT id FROM bz_outbox WHERE state = 'sent' AND next_at <= ? ORDER BY next_at LIMIT ?`,
);

/** Parameters: ids …; the last row stays as in the journal. */
export const dropSent = listStatement('drop-sent', (length) => {
  const drop = `DELETE FROM bz_outbox WHERE id IN (${marks(length)}) AND state = 'sent'`;
  return { sqlite: `${drop} AND id < (SELECT MAX(id) FROM bz_outbox)`, mysql: drop };
});

/** The oldest job that is not over. */
export const oldestOpenJob = statement<[], { readonly at: number | null }>(
  'oldest-open-job',
  `SELECT MIN(created_at) AS at FROM bz_jobs WHERE status IN ('queued', 'running', 'dispatched')`,
);

/** Chains that begin with a line of a given time or an older one, each with where retention cut it before. Parameters: after writer, time, limit. */
export interface OldChain {
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  readonly cut_seq: number | null;
  readonly cut_hash: string | null;
}

const OLD = (name: string): string => `SELECT w.id, ${name} AS name, a.seq, c.seq AS cut_seq, c.hash AS cut_hash FROM bz_audit_writers w
  JOIN bz_audit a ON a.writer = w.id AND a.seq = (SELECT MIN(b.seq) FROM bz_audit b WHERE b.writer = w.id)
  LEFT JOIN bz_audit_cuts c ON c.writer = w.id WHERE w.id > ? AND a.ts <= ? ORDER BY w.id LIMIT ?`;

export const oldChains = statement<[after: number, time: number, limit: number], OldChain>('old-chains', {
  sqlite: OLD('CAST(w.name AS BLOB)'),
  mysql: OLD('w.name'),
});

export const linesUpTo = statement<[writer: number, seq: number, limit: number], { readonly id: number; readonly seq: number }>(
  'lines-up-to',
  'SELECT id, seq FROM bz_audit WHERE writer = ? AND seq <= ? ORDER BY seq LIMIT ?',
);

/** Parameters: ids …, writer, last line that may go. */
export const dropLines = listStatement(
  'drop-lines',
  (length) => `DELETE FROM bz_audit WHERE id IN (${marks(length)}) AND writer = ? AND seq <= ?`,
);

/** A row of `bz_audit_cuts`, with the name of its chain. */
export interface CutRow {
  readonly writer: number;
  readonly name: string;
  readonly seq: number;
  readonly hash: string;
  readonly told_writer: number;
  readonly told_seq: number;
}

const CUT = (name: string): string => `SELECT c.writer, ${name} AS name, c.seq, c.hash, c.told_writer, c.told_seq
  FROM bz_audit_cuts c JOIN bz_audit_writers w ON w.id = c.writer`;
const cuts = (where: string) => ({ sqlite: `${CUT('CAST(w.name AS BLOB)')} ${where}`, mysql: `${CUT('w.name')} ${where}` });

/** All of them, those that one line tells together. */
export const allCuts = statement<[], CutRow>('all-cuts', cuts('ORDER BY c.told_writer, c.told_seq'));

export const cutOf = statement<[writer: number], CutRow>('cut-of', cuts('WHERE c.writer = ?'));

/** Cuts that are told by a line of a chain up to a place. */
export const cutsToldIn = statement<[writer: number, seq: number, limit: number], CutRow>(
  'cuts-told-in',
  cuts('WHERE c.told_writer = ? AND c.told_seq <= ? ORDER BY c.told_seq LIMIT ?'),
);

/** Forward only. */
export const advanceCut = statement<[seq: number, hash: string, toldWriter: number, toldSeq: number, writer: number, below: number]>(
  'advance-cut',
  'UPDATE bz_audit_cuts SET seq = ?, hash = ?, told_writer = ?, told_seq = ? WHERE writer = ? AND seq < ?',
);

/** Unique on the writer: a duplicate is a fault of kind `duplicate`. */
export const insertCut = statement<[writer: number, seq: number, hash: string, toldWriter: number, toldSeq: number]>(
  'insert-cut',
  'INSERT INTO bz_audit_cuts (writer, seq, hash, told_writer, told_seq) VALUES (?, ?, ?, ?, ?)',
);

/** The same cut, told by another line. */
export const retellCut = statement<[toldWriter: number, toldSeq: number, writer: number, seq: number, wasWriter: number, wasSeq: number]>(
  'retell-cut',
  'UPDATE bz_audit_cuts SET told_writer = ?, told_seq = ? WHERE writer = ? AND seq = ? AND told_writer = ? AND told_seq = ?',
);
