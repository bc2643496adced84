import { randomUUID } from 'node:crypto';
import { sha256Hex } from '@bailing/contract';
import { line } from '../audit/index.js';
import { carriedBy, DELIVERY, notifyTarget, type Carried } from '../delivery/index.js';
import type { DeliverySettings, JobRow, JobStore, Outgoing } from '../ports/index.js';
import { answerComposer, toNobody, type ChannelSenderDeps } from './channels.js';
import type { OutboxSender, SendEnd } from './sender.js';

/** WIRE §3.6: two more tries at least, where an executor says that it failed. */
const ATTEMPTS = 3;
const QUEUED = 'delivery_queued';
const FAILED = 'delivery_error';
/** Lines of such a job that are looked at; it has a handful. */
const LINES_MAX = 500;

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
      if (to === '') return toNobody(delivery.to_field, FAILED);
      const carried = { to, parent_job_id: row.job, parent_request_id: row.requestId, delivers: row.dedupe, delivery };
      return queued(row, await freeName(row, deps), row.body, carried, deps);
    },
  };
}

export interface ExecutorDeadDeps extends ChannelSenderDeps {
  readonly jobs: ChannelSenderDeps['jobs'] & Pick<JobStore, 'audit'>;
}

/**
 * Deliveries that an executor failed for good. Sent again by a person, as a new job: whether the one before arrived in part, only the executor
 * can know.
 */
export function executorDeadSender(deps: ExecutorDeadDeps): OutboxSender {
  return {
    event: FAILED,
    compose: () => Promise.resolve({ is: 'final', error: 'there is nothing to send', event: FAILED }),
    send: async (row) => {
      const failed = await deps.jobs.get(row.ref);
      const carried = failed && carriedBy(failed);
      if (!failed || !carried) return { is: 'moot', reason: 'job_unknown', event: FAILED };
      if (row.attempt === 1) return firstEnd(failed, deps);
      if (failed.status === 'done') return { is: 'sent', event: QUEUED };
      return queued(row, `${failed.requestId.slice(0, 110)}:r${String(row.attempt)}`, failed.input, carried, deps);
    },
  };
}

async function firstEnd(failed: JobRow, deps: ExecutorDeadDeps): Promise<SendEnd> {
  const sent = await maybeSent(failed, deps);
  const said = failed.error ?? 'the executor failed';
  return { is: 'final', error: sent ? `${said} (it may have been sent)` : said, event: FAILED, about: { possibly_sent: sent } };
}

/** An executor that had it may have sent it, whatever it or the hub said afterwards; a job that nobody began with was not sent. */
async function maybeSent({ id, attempts, error }: JobRow, { jobs }: ExecutorDeadDeps): Promise<boolean> {
  if (attempts > 0 || !(error ?? '').startsWith('BAILING_JOB_EXPIRED')) return true;
  const lines = await jobs.audit(id, 0, LINES_MAX);
  const count = (event: string) => lines.filter((line) => line.event === event).length;
  return lines.length === LINES_MAX || count('dispatched') > count('dispatch_undelivered');
}

/** The first end of a job is `deliver_<job>`; each later one has a request id of its own, by the run that ended. */
async function freeName(row: Outgoing, deps: ChannelSenderDeps): Promise<string> {
  const first = `deliver_${row.ref}`;
  const before = await deps.jobs.byRequestId(first);
  const another = before !== null && carriedBy(before)?.delivers !== row.dedupe;
  return another ? `${first}:${sha256Hex(row.dedupe).slice(0, 12)}` : first;
}

function isServed(target: string, { settings }: ChannelSenderDeps): boolean {
  return settings().target(target)?.enabled === true;
}

async function queued(row: Outgoing, requestId: string, text: string, carried: Carried, deps: ChannelSenderDeps): Promise<SendEnd> {
  const target = notifyTarget(carried.delivery.type);
  // Another hub may have got it a moment ago.
  if (!isServed(target, deps)) await deps.lookAgain?.();
  if (!isServed(target, deps))
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
