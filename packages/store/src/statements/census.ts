import { statement } from './statement.js';

/** Rows that one count looks at. What is more is told as that many. */
export const COUNTED_MAX = 10_000;
const LIMIT = `LIMIT ${String(COUNTED_MAX)}`;

/** Aggregates of nothing are null. */
interface Counted {
  readonly n: number;
  readonly oldest: number | null;
}

export const countQueued = statement<[], Counted>(
  'count-queued',
  `SELECT COUNT(*) AS n, MIN(created_at) AS oldest FROM (SELECT created_at FROM bz_jobs WHERE status = 'queued' ${LIMIT}) q`,
);

/** Jobs somebody works on, and how many of them nobody renews any more. */
export const countHeld = statement<[now: number], { readonly n: number; readonly expired: number | null }>(
  'count-held',
  `SELECT COUNT(*) AS n, SUM(CASE WHEN lease_until <= ? THEN 1 ELSE 0 END) AS expired
    FROM (SELECT lease_until FROM bz_jobs WHERE status IN ('running', 'dispatched') ${LIMIT}) h`,
);

const OPEN = `WHERE state <> 'completed' AND state <> 'released' ${LIMIT}) j GROUP BY state`;
const JOURNAL = 'SELECT state, COUNT(*) AS n, MIN(created_at) AS oldest FROM (SELECT state, created_at FROM bz_tool_executions';

export const countUnresolved = statement<[], Counted & { readonly state: string }>('count-unresolved', {
  sqlite: `${JOURNAL} ${OPEN}`,
  mysql: `${JOURNAL} FORCE INDEX (bz_tool_executions_unresolved) ${OPEN}`,
});

export const countPending = statement<[], Counted>(
  'count-pending',
  `SELECT COUNT(*) AS n, MIN(created_at) AS oldest FROM (SELECT created_at FROM bz_tool_approvals WHERE status = 'pending' ${LIMIT}) p`,
);

/** What waits to be sent, and since when it is due; what was given up. */
export const countOutbox = statement<[], { readonly state: string; readonly n: number; readonly oldest: number | null }>(
  'count-outbox',
  `SELECT state, COUNT(*) AS n, MIN(next_at) AS oldest FROM
    (SELECT state, next_at FROM bz_outbox WHERE state IN ('waiting', 'dead') ${LIMIT}) o GROUP BY state`,
);
