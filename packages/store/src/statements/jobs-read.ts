import type { CandidateRow } from './jobs-queued.js';
import { listStatement, marks, type Statement, statement, type Value } from './statement.js';

export interface JobRecord {
  readonly id: string;
  readonly request_id: string;
  readonly owner: string;
  readonly route: string;
  readonly target: string;
  readonly source: string;
  readonly principal_id: string | null;
  readonly session_id: string;
  readonly is_continue: number;
  readonly status: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly calls_used: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly spec_set: string | null;
  readonly thread_id: number | null;
  readonly input: string;
  readonly metadata: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly usage_json: string | null;
  readonly callback_url: string | null;
  readonly profile: string;
}

export const JOB_SELECT = `SELECT j.id, j.request_id, j.owner, j.route, j.target, j.source, j.principal_id, j.session_id, j.is_continue, j.status, j.attempts,
  j.max_attempts, j.calls_used, j.created_at, j.updated_at, j.spec_set, j.thread_id, t.input, t.metadata, t.result, t.error, t.usage_json, t.callback_url, t.profile
  FROM bz_jobs j JOIN bz_job_texts t ON t.job_id = j.id`;

export const jobById = statement<[id: string], JobRecord>('job-by-id', `${JOB_SELECT} WHERE j.id = ?`);
export const jobByRequestId = statement<[requestId: string], JobRecord>('job-by-request-id', `${JOB_SELECT} WHERE j.request_id = ?`);
export const jobsByIds = listStatement<JobRecord>('jobs-by-ids', (length) => `${JOB_SELECT} WHERE j.id IN (${marks(length)})`);

export interface HoldingRecord extends JobRecord {
  readonly claim: string | null;
  readonly executor: string | null;
  readonly lease_until: number;
  readonly run_after: number;
  readonly dispatched_at: number | null;
}

export const holdingOfJob = statement<[id: string], HoldingRecord>(
  'holding-of-job',
  `${JOB_SELECT.replace('SELECT ', 'SELECT j.claim, j.executor, j.lease_until, j.run_after, j.dispatched_at, ')} WHERE j.id = ?`,
);

export interface StandingRecord {
  readonly status: string;
  readonly claim: string | null;
  readonly orphaned: number;
}

export const standingOfJob = statement<[before: number, id: string], StandingRecord>(
  'standing-of-job',
  `SELECT j.status, j.claim, CASE WHEN EXISTS (SELECT 1 FROM bz_tool_executions e WHERE e.job_id = j.id AND e.state <> 'completed'
    AND e.state <> 'released' AND (e.state <> 'dispatching' OR e.send_by <= ?)) THEN 1 ELSE 0 END AS orphaned
  FROM bz_jobs j WHERE j.id = ?`,
);

export type HeadRecord = Omit<JobRecord, 'metadata' | 'result' | 'usage_json'>;

/** What lists show: of long texts the beginning, or nothing, so that a page of large jobs stays a small answer. */
const HEAD_SELECT = JOB_SELECT.replace(
  't.input, t.metadata, t.result, t.error, t.usage_json,',
  'SUBSTR(t.input, 1, 200) AS input, t.error,',
);
const NEWEST_FIRST = 'ORDER BY j.created_at DESC, j.id DESC LIMIT ?';
/** Behind a job in this order; the first condition is the one an index is entered by. Parameters: created_at twice, id. */
const BEHIND = 'j.created_at <= ? AND (j.created_at < ? OR j.id < ?)';

export const newestJobs = statement<[limit: number, offset: number], HeadRecord>('newest-jobs', `${HEAD_SELECT} ${NEWEST_FIRST} OFFSET ?`);
export const newestJobsBehind = statement<[at: number, same: number, id: string, limit: number], HeadRecord>(
  'newest-jobs-behind',
  `${HEAD_SELECT} WHERE ${BEHIND} ${NEWEST_FIRST}`,
);

export type JobColumn = 'thread_id' | 'id' | 'request_id' | 'owner' | 'principal_id';

/** Newest first, by some exact members. Parameters: one value per column, created_at twice and id of a cursor where `behind`, limit. */
export function jobsWhere(columns: readonly JobColumn[], behind: boolean): Statement<readonly Value[], HeadRecord> {
  const where = [...columns.map((column) => `j.${column} = ?`), ...(behind ? [BEHIND] : [])].join(' AND ');
  return statement<readonly Value[], HeadRecord>('jobs-where', `${HEAD_SELECT} WHERE ${where} ${NEWEST_FIRST}`);
}

/**
 * Left behind by a worker that stopped renewing, oldest first. Parameters: now, targets …, limit. The index is named, because a planner may
 * rather walk all jobs in order of their making than sort the few that match.
 */
export const expiredCandidates = listStatement<CandidateRow>('expired-candidates', (length) => {
  const select = (index: string): string => `SELECT id, created_at FROM bz_jobs ${index} WHERE status IN ('running', 'dispatched')
    AND lease_until <= ? AND target IN (${marks(length)}) ORDER BY created_at, id LIMIT ?`;
  return { sqlite: select('INDEXED BY bz_jobs_lease'), mysql: `${select('FORCE INDEX (bz_jobs_lease)')} FOR UPDATE SKIP LOCKED` };
});

type LapsedRow = { readonly id: string; readonly request_id: string; readonly target: string; readonly executor: string } & {
  readonly claim: string;
  readonly replica: string;
};

/** Dispatched jobs whose lease is over. Read by one replica, now and then. */
const lapsedFrom = (index: string): string =>
  `SELECT id, request_id, target, executor, claim, replica FROM bz_jobs ${index} WHERE status = 'dispatched' AND lease_until <= ? LIMIT ?`;
export const lapsedLeases = statement<[now: number, limit: number], LapsedRow>('lapsed-leases', {
  sqlite: lapsedFrom('INDEXED BY bz_jobs_lease'),
  mysql: lapsedFrom('FORCE INDEX (bz_jobs_lease)'),
});

/** Whether a take could find anything, asked outside any transaction. Parameters: targets …, now, now, targets … */
export const anythingToTake = listStatement<{ readonly found: number }>(
  'anything-to-take',
  (length) => `SELECT 1 AS found FROM bz_jobs WHERE status = 'queued' AND target IN (${marks(length)}) AND run_after <= ?
    UNION ALL SELECT 1 FROM bz_jobs WHERE status IN ('running', 'dispatched') AND lease_until <= ? AND target IN (${marks(length)}) LIMIT 1`,
);

export const countByStatus = statement<[], { readonly status: string; readonly n: number }>(
  'count-by-status',
  `SELECT status, COUNT(*) AS n FROM bz_jobs WHERE status IN ('queued', 'running', 'dispatched') GROUP BY status`,
);

const USED = (column: 'route' | 'owner') => ({
  sqlite: `SELECT CAST(COALESCE(SUM(MAX(0, CAST(json_extract(t.usage_json, '$.tokens') AS INTEGER))), 0) AS INTEGER) AS tokens,
     CAST(ROUND(COALESCE(SUM(MAX(0, CAST(json_extract(t.usage_json, '$.cost_usd') AS REAL))), 0) * 1000000) AS INTEGER) AS micros
     FROM bz_jobs j JOIN bz_job_texts t ON t.job_id = j.id WHERE j.${column} = ? AND j.created_at > ?`,
  mysql: `SELECT CAST(COALESCE(SUM(GREATEST(0, CAST(JSON_VALUE(t.usage_json, '$.tokens') AS DECIMAL(20, 0)))), 0) AS SIGNED) AS tokens,
     CAST(ROUND(COALESCE(SUM(GREATEST(0, CAST(JSON_VALUE(t.usage_json, '$.cost_usd') AS DECIMAL(20, 6)))), 0) * 1000000) AS SIGNED) AS micros
     FROM bz_jobs j JOIN bz_job_texts t ON t.job_id = j.id WHERE j.${column} = ? AND j.created_at > ?`,
});
/** What is not ended, by target. From an index alone. */
export const countByTarget = statement<
  [],
  { readonly target: string; readonly status: string; readonly n: number; readonly oldest: number | null }
>(
  'count-by-target',
  `SELECT target, status, COUNT(*) AS n, MIN(created_at) AS oldest FROM bz_jobs WHERE status IN ('queued', 'running', 'dispatched')
   GROUP BY status, target`,
);

/** What executors hold, whoever they are: as many rows as there are executors at work. */
export const countByExecutor = statement<[], { readonly executor: string; readonly n: number; readonly oldest: number | null }>(
  'count-by-executor',
  `SELECT executor, COUNT(*) AS n, MIN(dispatched_at) AS oldest FROM bz_jobs WHERE status = 'dispatched' AND executor IS NOT NULL GROUP BY executor`,
);

type Used = { readonly tokens: number; readonly micros: number };

/** When the job was made that stands so many places behind a time. */
export const madeBehind = statement<[after: number, places: number], { readonly at: number }>(
  'made-behind',
  'SELECT created_at AS at FROM bz_jobs WHERE created_at > ? ORDER BY created_at LIMIT 1 OFFSET ?',
);

/** Of everything made after one time and by another. */
export const usedBetween = statement<
  [after: number, by: number],
  Used & { readonly route: string; readonly owner: string; readonly n: number }
>('used-between', {
  sqlite: grouped(USED('route').sqlite),
  mysql: grouped(USED('route').mysql),
});

function grouped(used: string): string {
  return `${used
    .replace('SELECT ', 'SELECT j.route, j.owner, COUNT(*) AS n, ')
    .replace('j.route = ? AND ', '')} AND j.created_at <= ? GROUP BY j.route, j.owner`;
}

/** Tokens and millionths of a dollar. What an executor reported may be anything: only positive numbers count. */
export const usedByRoute = statement<[route: string, since: number], Used>('used-by-route', USED('route'));
export const usedByOwner = statement<[owner: string, since: number], Used>('used-by-owner', USED('owner'));
