import type { JobRow } from '@bailing/engine/ports';
import { parsed } from './job.js';

/** What a reader of a failed job is told; the error itself is in `GET /jobs/{id}`. */
const FAILED = 'The request could not be completed.';

/** The last event of a stream (WIRE §14.2): `done` with the reply that counts, `failed` where there is none. */
export function endedEvent(job: JobRow): { readonly event: 'done' | 'failed'; readonly data: Record<string, unknown> } {
  if (job.status !== 'done') return { event: 'failed', data: { done: true, error: true, job_id: job.id, reply: FAILED } };
  const result = parsed(job.result) as { text?: unknown; report?: unknown; attachments?: unknown } | null;
  const attachments =
    Array.isArray(result?.attachments) && result.attachments.length > 0 ? { attachments: result.attachments as unknown[] } : {};
  return { event: 'done', data: { done: true, job_id: job.id, reply: replyOf(result, job.result), ...attachments } };
}

function replyOf(result: { readonly text?: unknown; readonly report?: unknown } | null, raw: string | null): string {
  if (typeof result?.text === 'string') return result.text;
  if (result?.report !== undefined) return JSON.stringify(result.report);
  return raw ?? '';
}
