import { listStatement, marks, statement } from './statement.js';

export interface OutgoingRecord {
  readonly id: number;
  readonly dedupe: string;
  readonly kind: string;
  readonly ref: string;
  readonly target: string;
  readonly body: string | null;
  readonly job_id: string;
  readonly request_id: string;
  readonly sign_as: string;
  readonly state: string;
  readonly attempt: number;
  readonly next_at: number;
  readonly error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const COLUMNS = 'id, dedupe, kind, ref, target, body, job_id, request_id, sign_as, state, attempt, next_at, error, created_at, updated_at';
const INSERT = `INSERT INTO bz_outbox (dedupe, kind, ref, target, body, job_id, request_id, sign_as, next_at, created_at, updated_at, state, attempt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0)`;

/** Put once: the same thing again changes nothing. */
export const putOutgoingRow = statement<
  [
    dedupe: string,
    kind: string,
    ref: string,
    target: string,
    body: string | null,
    job: string,
    requestId: string,
    signAs: string,
    nextAt: number,
    createdAt: number,
    updatedAt: number,
  ]
>('put-outgoing', { sqlite: `${INSERT} ON CONFLICT (dedupe) DO NOTHING`, mysql: `${INSERT} ON DUPLICATE KEY UPDATE dedupe = dedupe` });

/** Due and not leased: while an attempt is under way, `next_at` is the end of its lease. */
export const dueOutgoing = statement<[now: number, limit: number], { readonly id: number }>('due-outgoing', {
  sqlite: `SELECT id FROM bz_outbox WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at LIMIT ?`,
  mysql: `SELECT id FROM bz_outbox WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED`,
});

export const anyOutgoingDue = statement<[now: number], { readonly id: number }>(
  'any-outgoing-due',
  `SELECT id FROM bz_outbox WHERE state = 'waiting' AND next_at <= ? LIMIT 1`,
);

export const beginAttempt = statement<[leaseUntil: number, updatedAt: number, id: number]>(
  'begin-attempt',
  `UPDATE bz_outbox SET attempt = attempt + 1, next_at = ?, updated_at = ? WHERE id = ? AND state = 'waiting'`,
);

/** A dead letter gets one more attempt. */
export const retakeDead = statement<[leaseUntil: number, updatedAt: number, id: number]>(
  'retake-dead',
  `UPDATE bz_outbox SET state = 'waiting', attempt = attempt + 1, next_at = ?, updated_at = ? WHERE id = ? AND state = 'dead'`,
);

export const outgoingByIds = listStatement<OutgoingRecord>(
  'outgoing-by-ids',
  (length) => `SELECT ${COLUMNS} FROM bz_outbox WHERE id IN (${marks(length)}) ORDER BY id`,
);

export const keepOutgoingBody = statement<[body: string, updatedAt: number, id: number, attempt: number]>(
  'keep-outgoing-body',
  `UPDATE bz_outbox SET body = ?, updated_at = ? WHERE id = ? AND attempt = ? AND state = 'waiting' AND body IS NULL`,
);

export const endAttempt = statement<[state: string, nextAt: number, error: string | null, updatedAt: number, id: number, attempt: number]>(
  'end-attempt',
  `UPDATE bz_outbox SET state = ?, next_at = ?, error = ?, updated_at = ? WHERE id = ? AND attempt = ? AND state = 'waiting'`,
);

export const resolveDead = statement<[updatedAt: number, id: number]>(
  'resolve-dead',
  `UPDATE bz_outbox SET state = 'resolved', updated_at = ? WHERE id = ? AND state = 'dead'`,
);

/** Behind a letter, newest first. Parameters: state, next_at twice, id, limit. */
export const outgoingByState = statement<[state: string, at: number, same: number, id: number, limit: number], OutgoingRecord>(
  'outgoing-by-state',
  `SELECT ${COLUMNS} FROM bz_outbox WHERE state = ? AND next_at <= ? AND (next_at < ? OR id < ?) ORDER BY next_at DESC, id DESC LIMIT ?`,
);

/** Only the dead are walked, of which there are few. */
export const deadOfJob = statement<[job: string, limit: number], OutgoingRecord>(
  'dead-of-job',
  `SELECT ${COLUMNS} FROM bz_outbox WHERE state = 'dead' AND job_id = ? ORDER BY next_at DESC, id DESC LIMIT ?`,
);
