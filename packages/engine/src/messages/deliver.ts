import type { ChannelContext, ChannelMessage, ChannelPart, Clock, Log, PartSent } from '@bailing/plugin-api';
import { BailingError, ChannelFailure } from '@bailing/plugin-api';
import type { OpenChannel } from './messenger.js';
import { readParts, readSent } from './part-sent.js';

/** What became of one part of a message of several. */
export interface PartNote {
  readonly channel: string;
  readonly part: number;
  readonly of: number;
  readonly what: string;
  readonly state: PartSent['is'] | 'partly';
  readonly idempotency_key: string;
}
export type Noted = (job: string, note: PartNote) => Promise<void>;

/** `refused`: nobody got anything. `unknown`: somebody has, or may have, a piece of it that is not all of it. */
export type Delivered =
  | { readonly is: 'delivered'; readonly parts: number; readonly spare?: true }
  | { readonly is: 'refused'; readonly why: string; readonly later: boolean }
  | { readonly is: 'unknown'; readonly why: string };

interface DeliverDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly note: Noted;
}

const MAX_PARTS = 200;
/** With where it was and what was not tried it stays under the 500 characters of a kept reason. */
const WHY_CHARS = 240;
const NAMES_SHOWN = 20;

/**
 * Sends the parts of a message one after another and stops at the first that is not wholly accepted. `spare` is sent instead where the channel cannot make
 * parts of the message. Never throws.
 */
export async function deliverAll(
  open: OpenChannel,
  message: ChannelMessage,
  context: ChannelContext,
  deps: DeliverDeps,
  spare?: ChannelMessage,
): Promise<Delivered> {
  let parts: readonly Part[];
  try {
    const prepared = readParts(await preparedInTime(open, message, context, deps), message.recipients);
    if (!prepared) throw new ChannelFailure('the channel prepared no list of parts', false);
    parts = prepared;
    if (parts.length === 0) throw new ChannelFailure('the channel found nothing to send in it', false);
    if (parts.length > MAX_PARTS) throw new ChannelFailure(`it would go out in more than ${String(MAX_PARTS)} parts`, false);
  } catch (error) {
    if (!spare || error instanceof Late) return failedBefore(error, open, deps);
    const end = await deliverAll(open, spare, context, deps);
    return end.is === 'delivered' ? { ...end, spare: true } : end;
  }
  for (const [index, part] of parts.entries()) {
    const here = { index, parts, of: parts.length, what: blankedBy(open, part.says).slice(0, 120) };
    if (context.signal.aborted || deps.clock.now() >= context.sendBy) return stopped(here, OVER, true, index);
    const sent = readSent(await one(open, part, context, deps), part.to);
    const state = sent.is === 'accepted' && missing(sent).length > 0 ? 'partly' : sent.is;
    if (parts.length > 1) {
      const { of, what } = here;
      await deps.note(context.job, { channel: open.name, part: index + 1, of, what, state, idempotency_key: context.key });
    }
    const end = endOf(said(sent, open), here, message.recipients.length, part.to.length);
    if (end) return end;
  }
  return { is: 'delivered', parts: parts.length };
}

/** Preparing reaches nobody, so one that does not end in its time is a plain no: nothing may be left to guess where nothing was sent. */
async function preparedInTime(open: OpenChannel, message: ChannelMessage, context: ChannelContext, deps: DeliverDeps): Promise<unknown> {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, Math.min(MOST_MS, Math.max(0, context.sendBy - deps.clock.now())));
  const signal = AbortSignal.any([context.signal, over.signal]);
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Late()), { once: true }));
  // Where the channel throws at once nobody waits for it.
  late.catch(() => undefined);
  try {
    return await Promise.race([open.channel.prepare(message, { ...context, signal }), late]);
  } finally {
    clearTimeout(timer);
  }
}

class Late extends Error {}
const LATE = 'the time to send was over before the channel had prepared the message';
/** What a timer can wait. */
const MOST_MS = 2_147_483_647;

/** What the channel said, without the secrets of its configuration. */
function said(sent: PartSent, open: OpenChannel): PartSent {
  return sent.is === 'accepted' ? sent : { ...sent, why: blankedBy(open, sent.why) };
}

function blankedBy({ blank }: OpenChannel, text: string): string {
  return blank ? blank(text) : text;
}

type Part = Required<ChannelPart>;

interface Place {
  readonly index: number;
  readonly parts: readonly Part[];
  readonly of: number;
  readonly what: string;
}

const OVER = 'the time to send was over';
/** After its signal a channel may still say what it knows. */
const LAST_WORDS_MS = 50;

async function one(open: OpenChannel, part: ChannelPart, context: ChannelContext, deps: DeliverDeps): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  let overdue = (): void => undefined;
  // One that does not heed its signal would take with it what is known of the parts before.
  const silent = new Promise<PartSent>((resolve) => {
    overdue = () => void (timer = setTimeout(() => resolve({ is: 'unknown', why: OVER }), LAST_WORDS_MS));
  });
  context.signal.addEventListener('abort', overdue, { once: true });
  try {
    return await Promise.race([open.channel.deliver(part, context), silent]);
  } catch (error) {
    deps.log.error('a channel threw while it sent; the outcome counts as unknown', {
      job: context.job,
      channel: open.name,
      error: blankedBy(open, nameOf(error)),
    });
    return { is: 'unknown', why: error instanceof BailingError ? error.message : 'the channel failed while it sent' };
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', overdue);
  }
}

/** Null: wholly accepted, go on. */
function endOf(sent: PartSent, here: Place, recipients: number, audience: number): Delivered | null {
  const { rest, outside } = untried(here, here.index + 1);
  if (sent.is === 'unknown') return { is: 'unknown', why: `${whereabouts(here)}: ${short(sent.why)}${rest}` };
  if (sent.is === 'refused') return stopped(here, sent.why, sent.later ?? false, here.index + 1);
  const without = missing(sent);
  if (without.length === 0) return null;
  const names = without.slice(0, NAMES_SHOWN).join('|');
  const all = without.length >= audience;
  if (all) return stopped(here, `every recipient was refused: ${names}`, false, here.index + 1);
  const lost = without.length + outside;
  return { is: 'unknown', why: `recipients_refused: ${String(lost)} of ${String(recipients)} did not get it: ${short(names)}${rest}` };
}

/** The parts from here on, in words, and how many people they are for that no part before was for. */
function untried({ parts, index, of }: Place, from: number): { readonly rest: string; readonly outside: number } {
  if (from >= of) return { rest: '', outside: 0 };
  const people = new Set(parts.slice(from).flatMap(({ to }) => to));
  const reached = new Set(parts.slice(0, index + 1).flatMap(({ to }) => to));
  const which = from + 1 === of ? `part ${String(of)}` : `parts ${String(from + 1)} to ${String(of)}`;
  const whom = people.size === 1 ? '1 recipient' : `${String(people.size)} recipients`;
  return { rest: `; not sent: ${which} of ${String(of)}, for ${whom}`, outside: [...people].filter((one) => !reached.has(one)).length };
}

/** What was accepted before stays accepted: only a first part that was refused is a plain failure. `next`: the first part that was not tried. */
function stopped(here: Place, why: string, later: boolean, next: number): Delivered {
  if (here.index === 0) return { is: 'refused', why: short(why), later };
  return { is: 'unknown', why: `${whereabouts(here)}: ${short(why)}${untried(here, next).rest}` };
}

function whereabouts({ index, of, what }: Place): string {
  return of === 1 ? 'possibly_sent' : `partly_sent: ${String(index)} of ${String(of)} parts were accepted, then ${what}`;
}

function missing(sent: PartSent): readonly string[] {
  return sent.is === 'accepted' ? (sent.refused ?? []) : [];
}

/** Before the first part nothing has reached anybody. What a stranger's error says is not passed on: it may hold an address with a secret. */
function failedBefore(error: unknown, open: OpenChannel, deps: DeliverDeps): Delivered {
  if (isFailure(error)) return { is: 'refused', why: short(blankedBy(open, String(error.message))), later: error.later };
  if (error instanceof Late) return { is: 'refused', why: LATE, later: true };
  if (error instanceof BailingError)
    return { is: 'refused', why: short(blankedBy(open, error.message)), later: error.entry.retry !== 'never' };
  deps.log.error('a channel failed before it sent', { channel: open.name, error: blankedBy(open, nameOf(error)) });
  return { is: 'refused', why: 'the channel failed before anything was sent', later: true };
}

/** By its name: a plugin may bring a copy of plugin-api of its own. */
function isFailure(error: unknown): error is ChannelFailure {
  return error instanceof Error && error.name === ChannelFailure.name && typeof (error as Partial<ChannelFailure>).later === 'boolean';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function short(text: string): string {
  return text.slice(0, WHY_CHARS).toWellFormed();
}
