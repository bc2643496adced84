import { SEND_FILE_NAME_CHARS, sha256Hex } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import { answerText, attachmentsOf, DELIVERY } from '../delivery/index.js';
import { nameOf, type OutMessage } from '../messages/index.js';
import { ALERT, messageOfJob, queueMessage } from '../jobs/messages/index.js';
import type { AcceptDeps } from '../jobs/accept.js';
import type { CallStore, JobStore, Outgoing, Settings } from '../ports/index.js';
import type { OutboxSender, SendEnd } from './sender.js';

export interface ChannelSenderDeps extends Pick<AcceptDeps, 'clock' | 'wakeups'> {
  readonly jobs: Pick<JobStore, 'get' | 'accept' | 'byRequestId'>;
  readonly calls: Pick<CallStore, 'unresolved'>;
  readonly settings: () => Settings;
  /** Reads what other hubs wrote into the configuration, now; absent: there is one hub. */
  readonly lookAgain?: () => Promise<void>;
}

/** A delivery is tried twice where nobody got anything; two failures in a row end the use of a tool in a job. */
const ATTEMPTS = 2;
const EVENT = 'delivery_queued';

/**
 * Delivers an answer through a channel (WIRE §10.3): as a job of its own, `deliver_<job>`, which goes through the exit and keeps whether the message may
 * have arrived. Queued once, however often this is tried.
 */
export function channelDeliverySender(deps: ChannelSenderDeps): OutboxSender {
  return {
    event: 'delivery_error',
    compose: answerComposer(deps, EVENT),
    send: async (row) => {
      const { channel, to, field } = JSON.parse(row.target) as {
        readonly channel: string;
        readonly to: readonly string[];
        readonly field?: string;
      };
      if (to.length === 0) return toNobody(field, 'delivery_error');
      return delivered(row, { channel, to, text: row.body, ...attachedTo(row.body) }, deps);
    },
  };
}

/** A delivery whose recipients were not known when the job ended; sent again it still has none. */
export function toNobody(field: string | undefined, event: string): SendEnd {
  const said =
    field === undefined ? 'the route’s delivery.to names nobody' : `neither metadata.${field} nor the route’s delivery.to names anybody`;
  const next = 'Name a recipient there and run the job again.';
  return { is: 'final', error: `no_recipient: ${said}; nothing was sent. ${next}`, event };
}

/** The answer of a job as people read it, kept with the message before it goes anywhere. */
export function answerComposer(deps: Pick<ChannelSenderDeps, 'jobs' | 'settings'>, event: string): OutboxSender['compose'] {
  return async (row) => {
    const job = await deps.jobs.get(row.ref);
    if (!job) return moot('job_unknown');
    // Queued again before this was sent: the next end has a delivery of its own.
    if (job.status !== 'done') return moot('job_runs_again');
    return { is: 'body', body: answerText(job, deps.settings().route(job.route)?.name ?? job.route), event };
  };
}

/** Tells an alert through a channel (WIRE §10.4): as a job of its own, like a delivery. */
export function alertChannelSender(deps: ChannelSenderDeps): OutboxSender {
  const event = 'alert_send_error';
  return {
    event,
    compose: () => Promise.resolve({ is: 'final', error: 'an alert without a body', event }),
    send: async (row) => {
      const { channel, to } = JSON.parse(row.target) as { readonly channel: string; readonly to: readonly string[] };
      const requestId = `alert_${row.dedupe.replace(/^alert:/, '')}`;
      return queued(row, requestId, { channel, to, text: row.body, files: [], images: [] }, deps, ALERTING);
    },
  };
}

/** Deliveries and alerts that failed for good. Sent again by a person: as a new message, and never while the old one may have arrived. */
export function channelDeadSender(deps: ChannelSenderDeps): OutboxSender {
  const event = 'channel_delivery_error';
  return {
    event,
    compose: () => Promise.resolve({ is: 'final', error: 'there is nothing to send', event }),
    send: async (row) => {
      const failed = await deps.jobs.get(row.ref);
      const kept = failed && messageOfJob(failed);
      if (!failed || !kept) return { is: 'moot', reason: 'job_unknown', event };
      if (row.attempt === 1) return { is: 'final', error: failed.error ?? 'the channel failed', event };
      if (failed.status === 'done') return { is: 'sent', event: EVENT };
      if ((await deps.calls.unresolved(failed.id)).length > 0)
        return { is: 'final', error: 'it may have arrived: settle the unresolved send_message of its job first', event };
      const errand = failed.source === ALERT ? ALERTING : DELIVERING;
      return queued(row, `${failed.requestId.slice(0, 110)}:r${String(row.attempt)}`, kept.message, deps, errand);
    },
  };
}

/** What the contract lets one message carry (WIRE §10.5), of either kind. */
const MOST = 9;

/** What an answer links to goes with it, where it can be had and the channel takes it; the links stay in the text (WIRE §10.3). Recordings are files here. */
function attachedTo(text: string): Pick<OutMessage, 'images' | 'files' | 'linked'> {
  const found = attachmentsOf(text).filter(({ url }) => URL.canParse(url));
  const images = found.filter(({ type }) => type === 'image').map(({ url }) => url);
  const files = found.flatMap((one) => (one.type === 'image' ? [] : [{ name: fileName(one.name, one.url), url: one.url }]));
  return { images: images.slice(0, MOST), files: files.slice(0, MOST), ...(images.length + files.length > 0 && { linked: true as const }) };
}

/** The label where it ends as a file does, else the end of the address. */
function fileName(label: string, url: string): string {
  const plain = label.replace(/[\p{Cc}\\/]/gu, ' ').trim();
  return /\.[a-z0-9]{1,10}$/i.test(plain) ? plain.slice(-SEND_FILE_NAME_CHARS).toWellFormed() : nameOf(url);
}

/** The first end of a job is `deliver_<job>` (WIRE §10.3); each later one has a request id of its own, by the run that ended. */
async function delivered(row: Outgoing, message: OutMessage, deps: ChannelSenderDeps): Promise<SendEnd> {
  const first = `deliver_${row.ref}`;
  const before = await deps.jobs.byRequestId(first);
  const another = before !== null && messageOfJob(before)?.delivers !== row.dedupe;
  return queued(row, another ? `${first}:${sha256Hex(row.dedupe).slice(0, 12)}` : first, message, deps);
}

interface Errand {
  readonly source: string;
  /** Events of a failure and of a success. */
  readonly event: string;
  readonly done: string;
}
const ALERTING: Errand = { source: ALERT, event: 'alert_send_error', done: 'alert_queued' };
const DELIVERING: Errand = { source: DELIVERY, event: 'delivery_error', done: EVENT };

async function queued(
  row: Outgoing,
  requestId: string,
  message: OutMessage,
  deps: ChannelSenderDeps,
  errand = DELIVERING,
): Promise<SendEnd> {
  const parent = row.job === '-' ? null : await deps.jobs.get(row.job);
  const metadata = { message, parent_job_id: row.job, parent_request_id: row.requestId, delivers: row.dedupe };
  const owner = parent?.owner ?? 'admin';
  try {
    const { job } = await queueMessage({ requestId, owner, source: errand.source, metadata, maxAttempts: ATTEMPTS }, deps);
    return {
      is: 'sent',
      event: errand.done,
      about: { type: 'channel', channel: message.channel, to: message.to.slice(0, 100).join('|'), child_job: job.id },
    };
  } catch (error) {
    const never = error instanceof BailingError && error.entry.retry === 'never';
    return {
      is: never ? 'final' : 'retry',
      error: error instanceof Error ? error.message : 'the delivery could not be queued',
      event: errand.event,
    };
  }
}

function moot(reason: string): SendEnd {
  return { is: 'moot', reason, event: 'delivery_skipped' };
}
