import { randomUUID } from 'node:crypto';
import { sha256Hex } from '@bailing/contract';
import { line } from '../audit/index.js';
import { carriedBy, DELIVERY, notifyTarget, type Carried } from '../delivery/index.js';
import type { DeliverySettings, Outgoing } from '../ports/index.js';
import { answerComposer, type ChannelSenderDeps } from './channels.js';
import type { OutboxSender, SendEnd } from './sender.js';

/** WIRE §3.6: two more tries at least, where an executor says that it failed. */
const ATTEMPTS = 3;
const QUEUED = 'delivery_queued';
const FAILED = 'delivery_error';

/**
 * Delivers an answer through an executor (WIRE §10.3): as a job of its own, `deliver_<job>`, for the target `X-notify`. Queued once, however
 * often this is tried.
 */
export function executorDeliverySender(deps: ChannelSenderDeps): OutboxSender {
  return {
    event: FAILED,
    compose: answerComposer(deps, QUEUED),
    send: async (row) => {
      const { delivery, to } = JSON.parse(row.target) as { readonly delivery: DeliverySettings; readonly to: string };
      const carried = { to, parent_job_id: row.job, parent_request_id: row.requestId, delivers: row.dedupe, delivery };
      return queued(row, await freeName(row, deps), row.body, carried, deps);
    },
  };
}

/**
 * Deliveries that an executor failed for good. Sent again by a person, as a new job: whether the one before arrived in part, only the executor
 * can know.
 */
export function executorDeadSender(deps: ChannelSenderDeps): OutboxSender {
  return {
    event: FAILED,
    compose: () => Promise.resolve({ is: 'final', error: 'there is nothing to send', event: FAILED }),
    send: async (row) => {
      const failed = await deps.jobs.get(row.ref);
      const carried = failed && carriedBy(failed);
      if (!failed || !carried) return { is: 'moot', reason: 'job_unknown', event: FAILED };
      if (row.attempt === 1) return { is: 'final', error: lastWord(failed), event: FAILED, about: possibly(failed) };
      if (failed.status === 'done') return { is: 'sent', event: QUEUED };
      return queued(row, `${failed.requestId.slice(0, 110)}:r${String(row.attempt)}`, failed.input, carried, deps);
    },
  };
}

/** An executor that had it may have sent it, whatever it said afterwards; a job that nobody began with was not sent. */
function possibly({ attempts, error }: { readonly attempts: number; readonly error: string | null }) {
  return { possibly_sent: attempts > 0 || !(error ?? '').startsWith('BAILING_JOB_EXPIRED') };
}

function lastWord(failed: { readonly attempts: number; readonly error: string | null }): string {
  const said = failed.error ?? 'the executor failed';
  return possibly(failed).possibly_sent ? `${said} (it may have been sent)` : said;
}

/** The first end of a job is `deliver_<job>`; each later one has a request id of its own, by the run that ended. */
async function freeName(row: Outgoing, deps: ChannelSenderDeps): Promise<string> {
  const first = `deliver_${row.ref}`;
  const before = await deps.jobs.byRequestId(first);
  const another = before !== null && carriedBy(before)?.delivers !== row.dedupe;
  return another ? `${first}:${sha256Hex(row.dedupe).slice(0, 12)}` : first;
}

async function queued(row: Outgoing, requestId: string, text: string, carried: Carried, deps: ChannelSenderDeps): Promise<SendEnd> {
  const target = notifyTarget(carried.delivery.type);
  if (deps.settings().target(target)?.enabled !== true)
    return { is: 'final', error: `the target ${target} is not there or is disabled; nothing was sent`, event: FAILED };
  const parent = await deps.jobs.get(row.job);
  const owner = parent?.owner ?? 'admin';
  const now = deps.clock.now();
  const id = randomUUID();
  const job = {
    ...{ id, requestId, owner, source: DELIVERY, route: '', target, profile: 'delivery', maxAttempts: ATTEMPTS, createdAt: now },
    ...{ input: text, metadata: JSON.stringify(carried), principalId: null, sessionId: randomUUID(), isContinue: false },
  };
  const received = line('received', { job: id, requestId }, now, {
    ...{ target, project: '', profile: 'delivery', source: DELIVERY, route: '', client: owner, session: job.sessionId, continue: false },
  });
  const accepted = await deps.jobs.accept(job, received, owner === 'admin');
  if (accepted.is === 'foreign')
    return { is: 'final', error: `the request id ${requestId} belongs to another client; nothing was sent`, event: FAILED };
  if (accepted.is === 'new') deps.wakeups.notify(`jobs:${target}`);
  const about = { type: carried.delivery.type, target, to: carried.to.slice(0, 300), child_job: accepted.job.id };
  return { is: 'sent', event: QUEUED, about };
}
