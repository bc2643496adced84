import type { JobRow, JobStatus } from '@bailing/engine/ports';
import type { JobRecord } from '../statements/jobs-read.js';

export function jobRow(record: JobRecord): JobRow {
  return {
    id: record.id,
    requestId: record.request_id,
    owner: record.owner,
    route: record.route,
    target: record.target,
    source: record.source,
    input: record.input,
    metadata: record.metadata,
    principalId: record.principal_id,
    sessionId: record.session_id,
    isContinue: record.is_continue === 1,
    maxAttempts: record.max_attempts,
    createdAt: record.created_at,
    status: record.status as JobStatus,
    result: record.result,
    error: record.error,
    usage: record.usage_json,
    attempts: record.attempts,
    callsUsed: record.calls_used,
    updatedAt: record.updated_at,
    threadId: record.thread_id,
    callbackUrl: record.callback_url,
    specSet: record.spec_set,
  };
}
