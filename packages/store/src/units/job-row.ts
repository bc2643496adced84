import type { JobHead, JobRow, JobStatus } from '@bailing/engine/ports';
import type { HeadRecord, JobRecord } from '../statements/jobs-read.js';

export function jobRow(record: JobRecord): JobRow {
  return { ...jobHead(record), metadata: record.metadata, result: record.result, usage: record.usage_json };
}

export function jobHead(record: HeadRecord): JobHead {
  return {
    id: record.id,
    requestId: record.request_id,
    owner: record.owner,
    route: record.route,
    target: record.target,
    source: record.source,
    input: record.input,
    principalId: record.principal_id,
    sessionId: record.session_id,
    isContinue: record.is_continue === 1,
    maxAttempts: record.max_attempts,
    createdAt: record.created_at,
    status: record.status as JobStatus,
    error: record.error,
    attempts: record.attempts,
    callsUsed: record.calls_used,
    updatedAt: record.updated_at,
    threadId: record.thread_id,
    callbackUrl: record.callback_url,
    profile: record.profile,
    specSet: record.spec_set,
  };
}
