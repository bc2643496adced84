import { statement } from './statement.js';

/** Takes the next place on a thread; the row stays locked until the commit, so places are given in the order of commits. */
export const bumpThread = statement<[route: string, scope: string]>(
  'bump-thread',
  'UPDATE bz_threads SET last_seq = last_seq + 1 WHERE route = ? AND scope = ?',
);

/** Unique on (route, scope): a duplicate is a fault of kind `duplicate`. */
export const insertThread = statement<[route: string, scope: string, sessionId: string, createdAt: number]>(
  'insert-thread',
  'INSERT INTO bz_threads (route, scope, session_id, last_seq, created_at) VALUES (?, ?, ?, 1, ?)',
);

export const threadByScope = statement<
  [route: string, scope: string],
  { readonly id: number; readonly session_id: string; readonly last_seq: number }
>('thread-by-scope', 'SELECT id, session_id, last_seq FROM bz_threads WHERE route = ? AND scope = ?');

export const inFlightOfThread = statement<[thread: number], { readonly n: number }>(
  'in-flight-of-thread',
  `SELECT COUNT(*) AS n FROM bz_jobs WHERE thread_id = ? AND status IN ('queued', 'running', 'dispatched')`,
);

/** Asked again for a candidate: its statement may have seen it, and not yet an older one that was accepted at the same moment. */
export const olderOnThread = statement<[thread: number, seq: number], { readonly id: string }>(
  'older-on-thread',
  `SELECT id FROM bz_jobs WHERE thread_id = ? AND status IN ('queued', 'running', 'dispatched') AND thread_seq < ? LIMIT 1`,
);

export interface ThreadRecord {
  readonly id: number;
  readonly route: string;
  readonly scope: string;
  readonly session_id: string;
  readonly last_seq: number;
  readonly created_at: number;
}

/** Newest first. */
export const threadsBefore = statement<[before: number, limit: number], ThreadRecord>(
  'threads-before',
  'SELECT id, route, scope, session_id, last_seq, created_at FROM bz_threads WHERE id < ? ORDER BY id DESC LIMIT ?',
);
