import { acceptSend, fetchMs, type AcceptDeps } from '@bailing/engine';
import type { JobRow, JobStore } from '@bailing/engine/ports';
import type { HubApi } from '@bailing/http';

export interface SendDeps extends AcceptDeps {
  readonly store: { readonly jobs: Pick<JobStore, 'get'> };
  /** One whole message of a channel, in milliseconds. */
  readonly timeoutOf: (channel: string) => number;
}

/** The job is looked at again this often where nobody wakes us: it may be worked on by another hub. */
const LOOK_EVERY_MS = 250;
/** Beside the time of the message itself. */
const PATIENCE_MS = 5_000;

/** `POST /send`: the message is a job like any other, so that it survives this process; the answer waits for its end. */
export function sender(deps: SendDeps): HubApi['send'] {
  return async (caller, request, signal) => {
    const { is, job } = await acceptSend(caller, request, deps);
    if (is === 'same') return { is, job };
    const { channel, to } = request.message;
    const ended = await endOf(job, deps.timeoutOf(channel) + fetchMs(request.message) + PATIENCE_MS, signal, deps);
    if (ended.status === 'done') return { is: 'sent', job: ended, recipients: to.length };
    return { is: ended.status === 'error' || ended.status === 'rejected' ? 'failed' : 'pending', job: ended };
  };
}

async function endOf(job: JobRow, patienceMs: number, signal: AbortSignal, deps: SendDeps): Promise<JobRow> {
  const until = performance.now() + patienceMs;
  for (;;) {
    // Listening starts before looking, so that an end in between is not slept over.
    const woken = deps.wakeups.wait(`job:${job.id}`, signal, LOOK_EVERY_MS);
    const now = (await deps.store.jobs.get(job.id)) ?? job;
    if (['done', 'error', 'rejected'].includes(now.status) || signal.aborted || performance.now() > until) return now;
    await woken;
  }
}
