import type { CallDeps } from './deps.js';
import { argumentsFence, readArguments } from './fences/arguments.js';
import { scopeFence, stopFence } from './fences/scope.js';
import { isSend, keepHistory, messageOf } from '../messages/index.js';
import { hold } from './hold.js';
import { intend } from './intend.js';
import { invoke } from './invoke.js';
import type { Prepared } from './prepared.js';
import { Refusal } from './refusal.js';
import { asRefusal, refuse, type Trail } from './refuse.js';
import { awaitOutcome, replay } from './replay.js';
import type { CallResult } from './result.js';
import type { Proposal, Seat } from './seat.js';
import { settle } from './settle.js';
import { deniedBy, freeze, govern, judgeBoth, keyOf, knownBefore, prepare, spendsOf, subjectFence } from './steps.js';

/**
 * The one governed exit. Every call of every brain leaves through here or not at all. Reads like DESIGN §4: parse once · fences · gates ·
 * hold or quotas · intend commit · send · settle commit. Never throws: every refusal is an answer, and audited.
 *
 * What the journal already knows of a call (its answer, an unresolved write, two failures) goes before what a gate or a quota says. The intend
 * commit looks for itself; only a call that does not get there is looked up beforehand, so that an allowed one costs no read of its own.
 */
export function call(seat: Seat, proposal: Proposal, deps: CallDeps): Promise<CallResult> {
  return againWhereMoved(() => callOnce(seat, proposal, deps));
}

/**
 * What provably did not leave because its way changed meanwhile goes through the whole exit once more, frozen and judged for the way of now. Only where
 * nobody approved the old one: an approval is for what it showed.
 */
export async function againWhereMoved(once: () => Promise<CallResult>): Promise<CallResult> {
  const first = await once();
  return first.code === 'BAILING_CHANNEL_CHANGED' ? once() : first;
}

async function callOnce(seat: Seat, proposal: Proposal, deps: CallDeps): Promise<CallResult> {
  const trail: Trail = {};
  try {
    const { pinned, today } = scopeFence(seat, proposal, deps);
    stopFence(seat, pinned.source.provider, deps);
    trail.tool = today;
    const args = readArguments(proposal, today.tool);
    const governed = (trail.call = govern(seat, today, args, deps));
    subjectFence(governed, pinned);
    argumentsFence(args, [pinned.tool, today.tool]);
    const { frozen, invoker, provider } = freeze(seat, governed, deps);
    const key = keyOf(seat, governed);
    const joined = await judgeBoth(governed, pinned, deps);
    const spends = spendsOf(governed, deps);
    if (joined.verdict.is === 'allow' && !(spends instanceof Refusal))
      return await carryOut(seat, prepare(seat, governed, frozen, invoker, key, provider, spends, deps), deps);
    const known = await knownBefore(seat, governed, key, deps);
    if (known) return known;
    if (joined.verdict.is === 'deny') throw deniedBy(joined);
    if (spends instanceof Refusal) throw spends;
    return await hold(seat, governed, frozen, key, joined, deps);
  } catch (error) {
    return refuse(seat, proposal, trail, asRefusal(error, seat, deps), deps);
  }
}

/** The last part of every exit, of a proposal and of an approved call alike: intend commit · send · settle commit. */
export async function carryOut(seat: Seat, prepared: Prepared, deps: CallDeps, marker = 'brain-send'): Promise<CallResult> {
  const result = await leave(seat, prepared, deps);
  if (!result.ok || !isSend(prepared.call.tool)) return result;
  const of = { job: seat.job.id, key: prepared.key.idem, marker };
  const threadId = await keepHistory(messageOf(prepared.call.args), of, deps);
  return threadId === null ? result : { ...result, threadId };
}

async function leave(seat: Seat, prepared: Prepared, deps: CallDeps): Promise<CallResult> {
  const intended = await intend(seat, prepared, deps);
  if (intended.is === 'replay') return replay(seat, prepared.call.tool, prepared.key, intended.was, deps);
  if (intended.is === 'wait') return awaitOutcome(seat, prepared, intended.row, deps);
  return settle(seat, prepared, intended.ticket, await invoke(seat, prepared, intended.ticket, deps), deps);
}
