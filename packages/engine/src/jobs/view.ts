import type { JobRow } from '../ports/index.js';

/** The job as its client sees it (WIRE §2.7). Claim, lease and target configuration stay inside. */
export function jobView(job: JobRow): Readonly<Record<string, unknown>> {
  const metadata = parsed(job.metadata) ?? {};
  return {
    job_id: job.id,
    request_id: job.requestId,
    status: job.status,
    target: job.target,
    route: job.route,
    source: job.source,
    ...(job.owner !== 'admin' && { client_app_id: job.owner }),
    session_id: job.sessionId,
    input_preview: job.input.slice(0, 200).toWellFormed(),
    input: job.input,
    ...(job.result !== null && { result: parsed(job.result) }),
    ...(job.usage !== null && { usage: parsed(job.usage) }),
    ...(job.error !== null && { error: job.error }),
    metadata,
    attempts: job.attempts,
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
