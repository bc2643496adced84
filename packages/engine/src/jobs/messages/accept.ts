import { randomUUID } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import { line } from '../../audit/index.js';
import type { OutMessage } from '../../messages/index.js';
import type { JobRow } from '../../ports/index.js';
import type { AcceptDeps, Caller } from '../accept.js';
import { CHANNEL_SEND, type MessageMetadata } from './words.js';

/** A `POST /send` body whose shape has been checked (WIRE §10.5). */
export interface SendRequest {
  readonly request_id: string;
  readonly message: OutMessage;
}

export type SendAccepted = { readonly is: 'new' | 'same'; readonly job: JobRow };

/**
 * Claims a request id and queues a job that is one message. The same request id of the same owner is one message, however often it comes.
 * @throws BailingError with the refusal's code
 */
export async function acceptSend(caller: Caller, request: SendRequest, deps: AcceptDeps): Promise<SendAccepted> {
  const { channel } = request.message;
  const enabled = deps
    .settings()
    .channels()
    .some(({ name, enabled: on }) => on && name === channel);
  if (!enabled) return knownBefore(request, caller.kind === 'client' ? caller.appId : 'admin', deps);
  await clientRules(caller, channel, deps);
  const owner = caller.kind === 'client' ? caller.appId : 'admin';
  const source = caller.kind === 'client' ? caller.appId : 'send';
  return queueMessage(
    { ...{ requestId: request.request_id, owner, source }, metadata: { message: request.message }, maxAttempts: 1 },
    deps,
  );
}

/**
 * What became of a message is told also where its channel is gone or disabled since.
 * @throws BailingError BAILING_CHANNEL_UNKNOWN for a message that is new
 */
async function knownBefore(request: SendRequest, owner: string, deps: AcceptDeps): Promise<SendAccepted> {
  const job = await deps.jobs.byRequestId(request.request_id);
  if (job?.owner === owner && job.target === CHANNEL_SEND) return { is: 'same', job };
  throw new BailingError('BAILING_CHANNEL_UNKNOWN', { at: 'channel' });
}

async function clientRules(caller: Caller, channel: string, deps: AcceptDeps): Promise<void> {
  if (caller.kind !== 'client') return;
  const client = deps.settings().client(caller.appId);
  if (!client?.enabled) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  const allowed = client.allowed_channels ?? [];
  if (!allowed.includes('*') && !allowed.includes(channel)) throw new BailingError('BAILING_CHANNEL_FORBIDDEN', { at: 'channel' });
  if (client.rate_limit_per_min === 0) return;
  const taken = await deps.rates.take([{ bucket: `client:${caller.appId}`, limit: client.rate_limit_per_min, windowMs: 60_000, cost: 1 }]);
  if (taken.is === 'rate')
    throw new BailingError('BAILING_CLIENT_RATE_LIMITED', { detail: `Free again in ${String(taken.retryInMs)} ms.` });
}

export interface NewMessage {
  readonly requestId: string;
  readonly owner: string;
  readonly source: string;
  readonly metadata: MessageMetadata;
  readonly maxAttempts: number;
}

/** @throws BailingError BAILING_REQUEST_FOREIGN where the request id belongs to somebody else */
export async function queueMessage(
  { requestId, owner, source, metadata, maxAttempts }: NewMessage,
  deps: Pick<AcceptDeps, 'clock' | 'wakeups'> & { readonly jobs: Pick<AcceptDeps['jobs'], 'accept'> },
): Promise<SendAccepted> {
  const now = deps.clock.now();
  const id = randomUUID();
  const { channel, to, text, card } = metadata.message;
  const job = {
    ...{ id, requestId, owner, source, route: '', target: CHANNEL_SEND, maxAttempts, createdAt: now },
    ...{ input: text === '' ? (card?.title ?? '') : text, metadata: JSON.stringify(metadata) },
    ...{ principalId: null, sessionId: randomUUID(), isContinue: false },
  };
  const received = line('received', { job: id, requestId }, now, {
    ...{ target: CHANNEL_SEND, project: '', profile: '', source, route: '', client: owner, channel, recipients: to.length },
    ...{ session: job.sessionId, continue: false },
  });
  const accepted = await deps.jobs.accept(job, received, owner === 'admin');
  if (accepted.is === 'foreign') throw new BailingError('BAILING_REQUEST_FOREIGN', { at: 'request_id' });
  if (accepted.is === 'new') deps.wakeups.notify(`jobs:${CHANNEL_SEND}`);
  return { is: accepted.is, job: accepted.job };
}
