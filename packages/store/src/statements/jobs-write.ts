import { listStatement, marks, statement } from './statement.js';

/** Unique on request_id: a duplicate is a fault of kind `duplicate`. */
export const insertJob = statement<
  [
    id: string,
    requestId: string,
    owner: string,
    route: string,
    target: string,
    source: string,
    principalId: string | null,
    sessionId: string,
    isContinue: number,
    maxAttempts: number,
    runAfter: number,
    createdAt: number,
    updatedAt: number,
    threadId: number | null,
    threadSeq: number | null,
  ]
>(
  'insert-job',
  `INSERT INTO bz_jobs (id, request_id, owner, route, target, source, principal_id, session_id, is_continue, max_attempts, run_after, created_at, updated_at,
     thread_id, thread_seq, status, attempts, calls_used, claim, replica, executor, dispatched_at, lease_until)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 0, 0, NULL, NULL, NULL, NULL, 0)`,
);

/** What is long is kept apart from the row that every call touches. */
export const insertJobTexts = statement<[job: string, input: string, metadata: string, callbackUrl: string | null, profile: string]>(
  'insert-job-texts',
  'INSERT INTO bz_job_texts (job_id, input, metadata, callback_url, profile, result, error, usage_json) VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)',
);

/** `running` for a worker of this hub, `dispatched` for an executor. The first claim stamps the set of revisions; later ones keep it. */
export const claimJob = statement<
  [
    status: string,
    claim: string,
    replica: string,
    executor: string | null,
    dispatchedAt: number | null,
    leaseUntil: number,
    updatedAt: number,
    specSet: string | null,
    id: string,
  ]
>(
  'claim-job',
  `UPDATE bz_jobs SET status = ?, claim = ?, replica = ?, executor = ?, dispatched_at = ?, lease_until = ?, updated_at = ?,
     spec_set = COALESCE(spec_set, ?)
   WHERE id = ?`,
);

/** Only now is the job dispatched: what never reached its executor is kept for it by no sign of life. */
export const markHandedOver = statement<[dispatchedAt: number, updatedAt: number, job: string, claim: string]>(
  'mark-handed-over',
  `UPDATE bz_jobs SET dispatched_at = ?, updated_at = ? WHERE id = ? AND claim = ? AND status = 'dispatched'`,
);

/** Leases of everything one executor has in its hands, but of nothing dispatched before a given time. */
export const extendLeases = statement<[leaseUntil: number, updatedAt: number, executor: string, notBefore: number]>(
  'extend-leases',
  `UPDATE bz_jobs SET lease_until = ?, updated_at = ? WHERE executor = ? AND dispatched_at >= ? AND status = 'dispatched'`,
);

/** Parameters: lease until, updated at, then job and claim per holder. */
export const renewLeases = listStatement(
  'renew-leases',
  (length) => `UPDATE bz_jobs SET lease_until = ?, updated_at = ? WHERE status IN ('running', 'dispatched') AND (${pairs(length)})`,
);

/** Which of some holders still hold; asked only when `renew-leases` moved fewer rows than it was given. */
export const stillHeld = listStatement<{ readonly id: string; readonly claim: string }>(
  'still-held',
  (length) => `SELECT id, claim FROM bz_jobs WHERE status IN ('running', 'dispatched') AND id IN (${marks(length)})`,
);

/** Only where the lease is over at this moment: a sign of life that came meanwhile counts. */
export const letGoOfJob = statement<[runAfter: number, updatedAt: number, id: string, claim: string, now: number]>(
  'let-go-of-job',
  `UPDATE bz_jobs SET status = 'queued', claim = NULL, replica = NULL, executor = NULL, dispatched_at = NULL,
     lease_until = 0, run_after = ?, updated_at = ?
   WHERE id = ? AND claim = ? AND status = 'dispatched' AND lease_until <= ?`,
);

export const requeueJob = statement<[runAfter: number, attempts: number, updatedAt: number, id: string, claim: string]>(
  'requeue-job',
  `UPDATE bz_jobs SET status = 'queued', claim = NULL, replica = NULL, executor = NULL, dispatched_at = NULL,
     lease_until = 0, run_after = ?, attempts = attempts + ?, updated_at = ?
   WHERE id = ? AND claim = ? AND status IN ('running', 'dispatched')`,
);

/** A job that is being cancelled does not end so. */
export const endJob = statement<[status: string, updatedAt: number, id: string, claim: string, cancelFlag: string]>(
  'end-job',
  `UPDATE bz_jobs SET status = ?, rerun = 0, claim = NULL, lease_until = 0, updated_at = ?
   WHERE id = ? AND claim = ? AND rerun <> 1 AND status IN ('running', 'dispatched') AND NOT EXISTS (SELECT 1 FROM bz_stops WHERE what = ?)`,
);

export const endJobTexts = statement<[result: string | null, error: string | null, usage: string | null, job: string]>(
  'end-job-texts',
  'UPDATE bz_job_texts SET result = ?, error = ?, usage_json = ? WHERE job_id = ?',
);

function pairs(length: number): string {
  return Array<string>(length).fill('(id = ? AND claim = ?)').join(' OR ');
}
