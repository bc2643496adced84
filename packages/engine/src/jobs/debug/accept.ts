import { randomUUID } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import { line } from '../../audit/index.js';
import type { JobRow, JobStore } from '../../ports/index.js';
import type { AcceptDeps } from '../accept.js';
import { DEBUG_INVOKE, debugOfJob, type DebugAsk } from './words.js';

export interface DebugRequest extends DebugAsk {
  /** Names the call: asked again it is the same call. Absent: a new one. */
  readonly jobId?: string;
  readonly by: string;
  readonly replica: string;
  /** Method and path of the request, for the ledger. */
  readonly path: string;
}

export interface DebugAccepted {
  readonly is: 'new' | 'same';
  readonly job: JobRow;
}

export type DebugAcceptDeps = Pick<AcceptDeps, 'clock' | 'wakeups'> & { readonly jobs: Pick<JobStore, 'get' | 'accept' | 'note'> };

/**
 * Queues one debug call. Whoever asks is in the ledger before anything else happens: what cannot be written down is not done.
 * @throws BailingError BAILING_DEBUG_JOB_TAKEN where the job id names another job or another call
 */
export async function acceptDebug(request: DebugRequest, deps: DebugAcceptDeps): Promise<DebugAccepted> {
  const id = request.jobId ?? randomUUID();
  const earlier = request.jobId === undefined ? null : await deps.jobs.get(id);
  if (earlier && !isSame(earlier, request)) throw taken();
  await deps.jobs.note([asked(id, request, earlier !== null, deps)]);
  if (earlier) return { is: 'same', job: earlier };
  const accepted = await queue(id, request, deps);
  if (accepted.is === 'same' && !isSame(accepted.job, request)) throw taken();
  return accepted;
}

async function queue(id: string, { by, replica, ...request }: DebugRequest, deps: DebugAcceptDeps): Promise<DebugAccepted> {
  const now = deps.clock.now();
  const { provider, tool, args, subject, allowRisky } = request;
  const requestId = `debug:${id}`;
  const job = {
    ...{ id, requestId, owner: 'admin', source: 'debug', route: '', target: DEBUG_INVOKE, maxAttempts: 1, createdAt: now },
    ...{
      input: `Debug call of ${tool} of ${provider}`,
      metadata: JSON.stringify({ debug: { provider, tool, args, subject, allowRisky }, by, replica }),
    },
    ...{ principalId: null, sessionId: randomUUID(), isContinue: false },
  };
  const received = line('received', { job: id, requestId }, now, {
    ...{
      target: DEBUG_INVOKE,
      project: '',
      profile: '',
      source: 'debug',
      route: '',
      client: 'admin',
      session: job.sessionId,
      continue: false,
    },
    ...{ by, provider, tool, allow_risky: allowRisky },
  });
  const accepted = await deps.jobs.accept(job, received, true);
  if (accepted.is === 'foreign') throw taken();
  if (accepted.is === 'new') deps.wakeups.notify(`jobs:${DEBUG_INVOKE}`);
  return { is: accepted.is, job: accepted.job };
}

function isSame(job: JobRow, { provider, tool, args, subject, allowRisky }: DebugAsk): boolean {
  const kept = debugOfJob(job)?.debug;
  if (!kept) return false;
  const same = kept.provider === provider && kept.tool === tool && kept.args === args;
  return same && kept.subject === subject && kept.allowRisky === allowRisky;
}

function taken(): BailingError {
  return new BailingError('BAILING_DEBUG_JOB_TAKEN', { at: 'job_id' });
}

/** WIRE §15.2: who asked for what, as a change of configuration is written down: never the body of the request. */
function asked(id: string, request: DebugRequest, again: boolean, { clock }: DebugAcceptDeps) {
  const { by, path, provider, tool, subject, allowRisky } = request;
  return line('tool_debug_invoke', { job: '-', requestId: 'tools' }, clock.now(), {
    ...{ by, method: 'POST', path, provider, tool, on_behalf_of: subject === '' ? null : subject, allow_risky: allowRisky, job_id: id },
    ...(again && { repeated: true }),
  });
}
