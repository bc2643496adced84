import { statement } from './statement.js';

export const placeOfJob = statement<[job: string], { readonly thread_seq: number | null }>(
  'place-of-job',
  'SELECT thread_seq FROM bz_jobs WHERE id = ?',
);

export interface SaidRow {
  readonly seq: number;
  readonly input: string;
  readonly answer: string | null;
}

const ANSWER = {
  sqlite: `CASE WHEN json_type(t.result, '$.text') = 'text' THEN SUBSTR(json_extract(t.result, '$.text'), 1, ?) END`,
  mysql: `CASE WHEN JSON_TYPE(JSON_EXTRACT(t.result, '$.text')) = 'STRING' THEN SUBSTR(JSON_UNQUOTE(JSON_EXTRACT(t.result, '$.text')), 1, ?) END`,
};
const SAID = (answer: string): string => `SELECT j.thread_seq AS seq, SUBSTR(COALESCE(s.said, t.input), 1, ?) AS input, ${answer} AS answer
  FROM bz_jobs j JOIN bz_job_texts t ON t.job_id = j.id LEFT JOIN bz_job_said s ON s.job_id = j.id
  WHERE j.thread_id = ? AND j.status IN ('done', 'error') AND j.thread_seq > ? AND j.thread_seq <= ? AND j.owner = ?
  ORDER BY j.thread_seq DESC LIMIT ?`;

/** Ended jobs of one conversation within a range of places, newest first. A launch refusal was never answered and is left out. */
export const saidOnThread = statement<
  [inputChars: number, answerChars: number, thread: number, after: number, upto: number, owner: string, limit: number],
  SaidRow
>('said-on-thread', { sqlite: SAID(ANSWER.sqlite), mysql: SAID(ANSWER.mysql) });

export const summaryOfThread = statement<[thread: number, owner: string], { readonly upto_seq: number; readonly summary: string }>(
  'summary-of-thread',
  'SELECT upto_seq, summary FROM bz_thread_summaries WHERE thread_id = ? AND owner = ?',
);

/** Unique on (thread, owner): a duplicate is a fault of kind `duplicate`. */
export const insertSummary = statement<[thread: number, owner: string, uptoSeq: number, summary: string, updatedAt: number]>(
  'insert-summary',
  'INSERT INTO bz_thread_summaries (thread_id, owner, upto_seq, summary, updated_at) VALUES (?, ?, ?, ?, ?)',
);

export const replaceSummary = statement<[uptoSeq: number, summary: string, updatedAt: number, thread: number, owner: string, from: number]>(
  'replace-summary',
  'UPDATE bz_thread_summaries SET upto_seq = ?, summary = ?, updated_at = ? WHERE thread_id = ? AND owner = ? AND upto_seq = ?',
);
