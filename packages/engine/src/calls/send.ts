import { SEND_MESSAGE, sendGrant } from '../messages/index.js';
import { againWhereMoved, carryOut } from './call.js';
import type { CallDeps } from './deps.js';
import type { Args } from './fences/arguments.js';
import { Refusal } from './refusal.js';
import { asRefusal, refuse, type Trail } from './refuse.js';
import type { CallResult } from './result.js';
import type { Seat } from './seat.js';
import { freeze, govern, keyOf, prepare, spendsOf } from './steps.js';

/**
 * A message that no brain proposed: a client sends it, or a route delivers an answer. The same exit without gates, which judge what brains propose:
 * lease, stops, journal and audit in one commit, sent once with a ticket, and what may have arrived is frozen. Never throws.
 */
export function sendMessage(seat: Seat, channel: string, args: Args, given: CallDeps, marker: string): Promise<CallResult> {
  return againWhereMoved(() => sendOnce(seat, channel, args, given, marker));
}

async function sendOnce(seat: Seat, channel: string, args: Args, given: CallDeps, marker: string): Promise<CallResult> {
  const deps: CallDeps = { ...given, gates: [], quotas: [] };
  const trail: Trail = {};
  try {
    const granted = (trail.tool = sendGrant(channel));
    if (
      !deps
        .settings()
        .channels()
        .some(({ name, enabled }) => enabled && name === channel)
    )
      throw new Refusal('BAILING_CHANNEL_UNKNOWN', 'channel_unknown', `The channel ${JSON.stringify(channel)} is gone or disabled.`);
    const governed = (trail.call = govern(seat, granted, args, deps));
    const { frozen, invoker, provider } = freeze(seat, governed, deps);
    const key = keyOf(seat, governed);
    const spends = spendsOf(governed, deps);
    if (spends instanceof Refusal) throw spends;
    return await carryOut(seat, prepare(seat, governed, frozen, invoker, key, provider, spends, deps), deps, marker);
  } catch (error) {
    return refuse(seat, { tool: SEND_MESSAGE, arguments: { value: args } }, trail, asRefusal(error, seat, deps), deps);
  }
}
