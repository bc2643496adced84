import type { JobRow } from '@bailing/engine/ports';
import { errorCatalogue } from '@bailing/plugin-api';
import { parsed } from '../views/job.js';
import { clientOrAdmin, json, type Reply, type Route } from '../route.js';
import { readSendRequest } from './send-request.js';

/** `POST /send` (WIRE §10.5): one message through a channel, idempotently by request_id; what may have arrived is said, and never sent again. */
export const send: Route = {
  method: 'POST',
  path: '/send',
  access: ['admin', 'client'],
  async handle(request, hub) {
    const caller = clientOrAdmin(request);
    await hub.refuseWhilePaused();
    const sent = await hub.send(caller, readSendRequest(json(request)), request.signal);
    const { job } = sent;
    const base = { job_id: job.id, request_id: job.requestId };
    if (sent.is === 'sent') return { status: 200, body: { ok: true, ...base, thread_id: threadOf(job), recipients: sent.recipients } };
    if (sent.is === 'same')
      return { status: 200, body: { ok: job.status === 'done', ...base, status: job.status, deduped: true, ...failureOf(job) } };
    if (sent.is === 'pending') return { status: 202, body: { ok: false, ...base, status: job.status } };
    return failed(job);
  },
};

/** The conversation of a single recipient. */
function threadOf({ result }: JobRow): number | null {
  const { thread_id: thread } = (parsed(result) ?? {}) as { readonly thread_id?: unknown };
  return typeof thread === 'number' ? thread : null;
}

/** A stored job that failed. */
function failed(job: JobRow): Reply {
  const failure = failureOf(job);
  const code = 'governance_state' in failure ? 'BAILING_CALL_UNKNOWN' : 'BAILING_SEND_FAILED';
  return { status: 502, body: { ok: false, job_id: job.id, request_id: job.requestId, ...failure, code, fix: errorCatalogue[code].fix } };
}

/** Why a job failed; nothing for another one. Where the message may have arrived it says so, in the members of an unresolved write. */
function failureOf(job: JobRow): object {
  if (job.status !== 'error' && job.status !== 'rejected') return {};
  const result = parsed(job.result) as Readonly<Record<string, unknown>> | null;
  const { governance_state, auto_retry_allowed, tool_execution } = result ?? {};
  const unknown = governance_state === undefined ? {} : { governance_state, auto_retry_allowed, tool_execution };
  return { error: job.error ?? 'the channel failed', ...unknown };
}
