import { canonicalJson, sha256Hex } from '@bailing/contract';
import type { CallContext, Channel, Clock, FrozenCall, Invoker, Log, Ms, Outcome, Ticket } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import { messageOf } from './arguments.js';
import { deliverAll, type Noted } from './deliver.js';
import { fetched, fetchedLinks, fetchMs, type Download } from './files.js';
import type { OutMessage } from './message.js';
import type { SendBinding } from './tool.js';

/** A configured channel that is open. */
export interface OpenChannel {
  readonly name: string;
  readonly kind: string;
  /** Names what was configured, secrets apart: a message is approved for this and for no other. */
  readonly revision: string;
  readonly timeoutMs: Ms;
  readonly channel: Channel;
  /** Says what the channel said without the secrets of its configuration. */
  readonly blank?: (text: string) => string;
}

export interface MessengerDeps {
  readonly channel: (name: string) => OpenChannel | undefined;
  /** A message begins to go out: the channel stays open until `end`. Null where it is not the one any more that the message was frozen for. */
  readonly begin: (frozen: OpenChannel) => { readonly channel: OpenChannel; readonly end: () => void } | null;
  /** Fetches a file that a message names by address: an address of a model, so private hosts are refused unless an operator allowed them. */
  readonly download: Download;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes down what became of one part of several; never throws. */
  readonly note: Noted;
}

/** What the channel knows at the end of its time may still be said; less than what an attempt gets, because the parts before must be told, too. */
const GRACE_MS = 100;

interface Kept {
  readonly message: OutMessage;
  readonly open: OpenChannel;
  readonly job: string;
}

/**
 * The invoker of `send_message`: freezes a whole message and sends it part by part, with a ticket and once. It repeats nothing: what was accepted
 * before something failed makes the outcome unknown, and the send stays frozen as a whole (WIRE §13.2).
 */
export function messenger(deps: MessengerDeps): Invoker<SendBinding> {
  const kept = new WeakMap<FrozenCall, Kept>();
  const used = new WeakSet<Ticket>();
  return {
    freeze: (_tool, args, context) => {
      const message = messageOf(args);
      const open = deps.channel(message.channel);
      if (!open) throw new BailingError('BAILING_CHANNEL_UNKNOWN', { detail: `The channel is ${JSON.stringify(message.channel)}.` });
      const frozen = frozenOf(message, open);
      kept.set(frozen, { message, open, job: context.job });
      return frozen;
    },
    send: async (frozen, ticket, context, signal) => {
      const known = kept.get(frozen);
      const refusal = refusalOf(known, used.has(ticket), ticket, context, deps.clock);
      if (!known || refusal !== null) return { is: 'not-sent', why: refusal ?? '' };
      used.add(ticket);
      const begun = deps.begin(known.open);
      if (!begun)
        return {
          is: 'not-sent',
          why: `the channel ${known.open.name} was changed or removed after this message was judged`,
          moved: true,
        };
      try {
        return await send({ ...known, open: begun.channel }, ticket, signal, deps);
      } finally {
        begun.end();
      }
    },
  };
}

function refusalOf(known: Kept | undefined, used: boolean, ticket: Ticket, context: CallContext, clock: Clock): string | null {
  if (used) return 'this ticket was used before';
  if (known?.job !== context.job) return 'this message was not frozen here for this job';
  if (ticket.key === undefined) return 'a message needs a journal';
  return clock.now() >= ticket.sendBy ? 'the time to send had passed' : null;
}

/** Built once: shown to an approver, digested, and what is sent is read from the same value. */
function frozenOf(message: OutMessage, open: OpenChannel): FrozenCall {
  const { images, ...rest } = message;
  const body = canonicalJson({ ...rest, ...(images.length > 0 && { images }) });
  const headers = [
    ['channel', open.name],
    ['channel-kind', open.kind],
    ['channel-revision', open.revision],
  ] as const;
  const target = `channel:${open.name}`;
  const digest = sha256Hex(['SEND', target, ...headers.map((pair) => pair.join(': ')), '', body].join('\n'));
  return { method: 'SEND', target, headers, body: Buffer.from(body, 'utf8'), digest, timeoutMs: open.timeoutMs + fetchMs(message) };
}

/** First everything is fetched, in a time of its own; then the channel has its own time, whole. */
async function send({ message, open, job }: Kept, ticket: Ticket, signal: AbortSignal, deps: MessengerDeps): Promise<Outcome> {
  const fetchBy = ticket.sendBy - open.timeoutMs;
  const withinMs = Math.max(0, fetchBy - deps.clock.now());
  const files = message.linked
    ? { ok: true as const, media: await fetchedLinks(message, deps.download, withinMs, signal) }
    : await fetched(message, deps.download, withinMs, signal);
  if (!files.ok) return refused(files.why, files.later);
  const now = deps.clock.now();
  const sendBy = Math.min(ticket.sendBy, now + open.timeoutMs);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, sendBy - now) + GRACE_MS)]);
  const context = { job, key: ticket.key ?? '', at: ticket.signAt, sendBy, signal: ends };
  const whole = { recipients: message.to, text: message.text, ...files.media, ...(message.card && { card: message.card }) };
  const carried = files.media.images.length + files.media.files.length;
  const spare = message.linked && carried > 0 ? { ...whole, images: [], files: [] } : undefined;
  const sent = await deliverAll(open, whole, context, deps, spare);
  if (sent.is === 'refused') return refused(sent.why, sent.later);
  if (sent.is === 'unknown') return sent;
  const behind = message.linked ? message.images.length + message.files.length - (sent.spare ? 0 : carried) : 0;
  return reported(200, sentText(message, open, sent.parts, behind));
}

/** Nothing reached anybody. 503 where the same send may be tried again under its key, 502 where that cannot help (WIRE §8.1, §13.2). */
function refused(why: string, later: boolean): Outcome {
  return reported(later ? 503 : 502, `Not sent: ${why}`);
}

function reported(status: number, body: string): Outcome {
  return { is: 'answered', answer: { status, contentType: 'text/plain', body, bytes: Buffer.byteLength(body), reported: true } };
}

function sentText(message: OutMessage, open: OpenChannel, parts: number, behind: number): string {
  const people = message.to.length === 1 ? '1 recipient' : `${String(message.to.length)} recipients`;
  return `Sent through ${open.name} to ${people}${parts > 1 ? ` in ${String(parts)} parts` : ''}.${behind > 0 ? ` Left as links: ${String(behind)}.` : ''}`;
}
