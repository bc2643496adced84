import type { CallDeps } from './deps.js';
import { argumentsFence, parseArguments } from './fences/arguments.js';
import { scopeFence, stopFence } from './fences/scope.js';
import { hold } from './hold.js';
import { intend } from './intend.js';
import { invoke } from './invoke.js';
import type { Prepared } from './prepared.js';
import { asRefusal, refuse, type Trail } from './refuse.js';
import { awaitOutcome, replay } from './replay.js';
import type { CallResult } from './result.js';
import type { Proposal, Seat } from './seat.js';
import { settle } from './settle.js';
import { alreadyKnown, freeze, govern, judgeBoth, keyOf, prepare, subjectFence, twiceFailedFence } from './steps.js';

/**
 * The one governed exit. Every call of every brain leaves through here or not at all. Reads like DESIGN §4: parse once · fences · what is
 * already known · gates · hold or quotas · intend commit · send · settle commit. Never throws: every refusal is an answer, and audited.
 */
export async function call(seat: Seat, proposal: Proposal, deps: CallDeps): Promise<CallResult> {
  const trail: Trail = {};
  try {
    const { pinned, today } = scopeFence(seat, proposal, deps);
    stopFence(seat, pinned.source.provider, deps);
    trail.tool = today;
    const args = parseArguments(proposal);
    const governed = (trail.call = govern(seat, today, args, deps));
    subjectFence(governed, pinned);
    argumentsFence(args, [pinned.tool, today.tool]);
    const { frozen, invoker, provider } = freeze(seat, governed, deps);
    const key = keyOf(seat, governed);
    const known = await alreadyKnown(seat, governed, key, deps);
    if (known) return known;
    await twiceFailedFence(seat, governed, deps);
    const joined = await judgeBoth(governed, pinned, deps);
    if (joined.verdict.is === 'hold') return await hold(seat, governed, frozen, key, joined, deps);
    const prepared = prepare(seat, governed, frozen, invoker, key, provider, deps);
    return await carryOut(seat, prepared, deps);
  } catch (error) {
    return refuse(seat, proposal, trail, asRefusal(error, seat, deps), deps);
  }
}

/** The last part of every exit, of a proposal and of an approved call alike: intend commit · send · settle commit. */
export async function carryOut(seat: Seat, prepared: Prepared, deps: CallDeps): Promise<CallResult> {
  const intended = await intend(seat, prepared, deps);
  if (intended.is === 'replay') return replay(seat, prepared.call.tool, prepared.key, intended.was, deps);
  if (intended.is === 'wait') return awaitOutcome(seat, prepared, intended.row, deps);
  return settle(seat, prepared, intended.ticket, await invoke(seat, prepared, intended.ticket, deps), deps);
}
