import type { JobHead, JobRow } from '../ports/index.js';
import { debugOfJob, debugShown } from './debug/words.js';
import { jobErrorOf } from './error-code.js';

const PREVIEW_CHARS = 200;

/** A stored JSON text as its value; text that does not parse reads as null. */
export function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** What is the same in every view of a job (WIRE §2.7). Members are named one by one: a claim token or a launch snapshot cannot slip out. */
export function jobHead(job: JobHead): Record<string, unknown> {
  return {
    job_id: job.id,
    request_id: job.requestId,
    status: job.status,
    route: job.route,
    target: job.target,
    profile: job.profile ?? '',
    project: '',
    source: job.source,
    ...(job.owner !== 'admin' && { client_app_id: job.owner }),
    ...(typeof job.threadId === 'number' && { thread_id: job.threadId }),
    session_id: job.sessionId,
    input_preview: job.input.slice(0, PREVIEW_CHARS),
    ...(job.error !== null && { error: job.error }),
    ...errorMembers(job),
    ...(typeof job.callbackUrl === 'string' && { callback_url: job.callbackUrl }),
    attempts: job.attempts,
    created_at: new Date(job.createdAt).toISOString(),
    updated_at: new Date(job.updatedAt).toISOString(),
  };
}

/** The job object of `GET /jobs/{id}`. `result` and `usage` are absent while there is none. */
export function jobView(job: JobRow): Record<string, unknown> {
  const result = parsed(job.result);
  const usage = parsed(job.usage);
  return {
    ...jobHead(job),
    input: job.input,
    ...(result !== null && { result }),
    ...(usage !== null && { usage }),
    metadata: metadataOf(job),
  };
}

function metadataOf(job: JobRow): unknown {
  const debug = debugOfJob(job);
  return debug ? debugShown(debug) : (parsed(job.metadata) ?? {});
}

/** Additions to the contract's job object: the stable code of its error, and what to do. */
function errorMembers(job: JobHead): Record<string, unknown> {
  const error = jobErrorOf(job);
  return error ? { error_code: error.code, error_fix: error.fix } : {};
}
