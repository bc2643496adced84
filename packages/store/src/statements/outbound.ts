import { listStatement, marks } from './statement.js';

/** Conversations that no route began have none. */
export const NO_ROUTE = '';

const THREAD = `('${NO_ROUTE}', ?, ?, 0, ?)`;
const threads = (length: number): string =>
  `INTO bz_threads (route, scope, session_id, last_seq, created_at) VALUES ${Array<string>(length).fill(THREAD).join(', ')}`;

/** Conversations with recipients, where there are none yet. Parameters per recipient: scope, session, time. */
export const insertOutboundThreads = listStatement('insert-outbound-threads', (length) => ({
  sqlite: `INSERT OR IGNORE ${threads(length)}`,
  mysql: `INSERT IGNORE ${threads(length)}`,
}));

const history = (length: number): string => `INTO bz_outbound (thread_id, message_key, job_id, marker, created_at)
  SELECT id, ?, ?, ?, ? FROM bz_threads WHERE route = '${NO_ROUTE}' AND scope IN (${marks(length)})`;

/** One message in each of these conversations, once. Parameters: key, job, marker, time, scopes … */
export const insertOutbound = listStatement('insert-outbound', (length) => ({
  sqlite: `INSERT OR IGNORE ${history(length)}`,
  mysql: `INSERT IGNORE ${history(length)}`,
}));
