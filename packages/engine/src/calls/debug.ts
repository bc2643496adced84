import { utf8Length } from '@bailing/contract';
import type { FrozenCall, GovernedCall, Invoker, Ms, Outcome } from '@bailing/plugin-api';
import { frozenWhy, type Granted } from '../catalog/index.js';
import type { ProviderSettings } from '../ports/index.js';
import { carryOut } from './call.js';
import type { CallDeps } from './deps.js';
import { respEvidence } from './evidence.js';
import { argumentsFence, readArguments } from './fences/arguments.js';
import { policiesOf, type Joined } from './gates.js';
import { Refusal } from './refusal.js';
import { asRefusal, refuse, type Trail } from './refuse.js';
import { isSettled, type CallResult } from './result.js';
import type { Proposal, Seat } from './seat.js';
import { deniedBy, freeze, govern, judgeBoth, keyOf, knownBefore, prepare, recordedBefore, spendsOf, subjectFence } from './steps.js';

/** One call of one tool that an operator tries (WIRE §4.4): no route grants it and no brain proposed it. */
export interface DebugProposal extends Proposal {
  readonly provider: string;
  /** Answers the holds that the tool's own declaration makes; those of other gates stay. */
  readonly allowRisky: boolean;
  /** Why it may not begin any more, where that is so: the journal may answer, nothing is sent. */
  readonly late?: 'busy' | 'gone';
}

/** What left, for the one who watches. `text` follows the log policy of the provider (WIRE §15.2). */
export interface DebugResponse {
  /** 0 where no answer came. */
  readonly status: number;
  readonly duration_ms: Ms;
  readonly text: string;
  readonly truncated: boolean;
}

export interface Debugged {
  readonly result: CallResult;
  /** The holds nobody answered; absent where it was not held. */
  readonly blocked?: { readonly reason: string; readonly holds: readonly string[] };
  /** Digest of the frozen bytes; absent where it was refused before there were any. */
  readonly digest?: string;
  /** The time the call was signed with; absent where nothing was signed. */
  readonly signedAt?: Ms;
  /** Absent for a call that is not journalled, and where nothing was signed. */
  readonly idempotencyKey?: string;
  readonly response?: DebugResponse;
}

/** The gate that speaks for the tool's own declaration: what `allowRisky` answers. */
const DECLARATION = 'gate-risk/risk';

/**
 * The exit once more, for an operator who tries one tool: validation, fences, every gate, quotas, journal, audit and signature as for any other call.
 * Only two things differ: the operator stands in for a route's allow list, and may answer what the tool's own declaration holds. Never throws.
 */
export async function callDebug(seat: Seat, proposal: DebugProposal, given: CallDeps): Promise<Debugged> {
  const watched = new Watched(given);
  const { deps } = watched;
  const trail: Trail = {};
  try {
    const { governed, granted, frozen, invoker, provider } = framed(seat, proposal, deps, trail);
    watched.digest = frozen.digest;
    watched.about(governed, provider);
    const key = keyOf(seat, governed);
    const joined = await judgeBoth(governed, granted, deps);
    if (joined.verdict.is !== 'allow' || proposal.late) {
      const known = proposal.late || joined.verdict.is === 'hold' ? recordedBefore : knownBefore;
      const recorded = await known(seat, governed, key, deps);
      if (recorded) return watched.ended(recorded);
    }
    if (proposal.late) throw new Refusal('BAILING_DEBUG_NOT_SENT', 'debug_call_late', LATE[proposal.late]);
    if (joined.verdict.is === 'deny') throw deniedBy(joined);
    const unanswered = unansweredBy(joined, proposal.allowRisky);
    if (unanswered.length > 0) throw (watched.blocked = blockedBy(joined, unanswered, proposal)).refusal;
    const spends = spendsOf(governed, deps);
    if (spends instanceof Refusal) throw spends;
    const prepared = prepare(seat, governed, frozen, invoker, key, provider, spends, deps);
    const journalled = prepared.journalled || joined.verdict.is === 'hold';
    return watched.ended(await carryOut(seat, { ...prepared, journalled }, deps));
  } catch (error) {
    return watched.ended(await refuse(seat, proposal, trail, asRefusal(error, seat, deps), deps));
  }
}

/** Whoever asked is gone by the time it could begin. */
const LATE = {
  busy: 'The hub was too busy to begin with this debug call in time, so it was not sent.',
  gone: 'The hub that was asked for this debug call went away before it was sent, so it was not sent.',
} as const;

/** A call up to its bytes, as every exit makes them; nothing is judged, counted or sent. @throws Refusal, BailingError */
export function framed(
  seat: Seat,
  proposal: Pick<DebugProposal, 'provider' | 'tool' | 'arguments'>,
  deps: CallDeps,
  trail: Trail = {},
): {
  readonly governed: GovernedCall;
  readonly granted: Granted;
  readonly frozen: FrozenCall;
  readonly invoker: Invoker;
  readonly provider: ProviderSettings;
} {
  const granted = (trail.tool = grantOf(proposal.tool, proposal.provider, deps));
  const args = readArguments(proposal, granted.tool);
  const governed = (trail.call = govern(seat, granted, args, deps));
  subjectFence(governed, granted);
  argumentsFence(args, [granted.tool]);
  return { governed, granted, ...freeze(seat, governed, deps) };
}

/** The tool of today, whatever routes may use of it; frozen and disabled ones stay out of reach for everybody. */
function grantOf(name: string, provider: string, deps: CallDeps): Granted {
  const revision = deps.current(provider);
  const tool = revision?.tools.get(name);
  if (!revision || !tool)
    throw new Refusal('BAILING_TOOL_NOT_GRANTED', 'tool_removed', `${provider} has no tool named ${JSON.stringify(name.slice(0, 64))}.`);
  if (!deps.settings().provider(provider)?.enabled)
    throw new Refusal('BAILING_CALL_STOPPED', 'disabled', `Calls are stopped: provider ${provider} is disabled.`, {
      detail: { stopped: `provider ${provider}` },
    });
  const frozen = frozenWhy(revision, name);
  if (frozen !== undefined)
    throw new Refusal('BAILING_TOOL_FROZEN', 'tool_frozen', `The tool ${name} is frozen: ${frozen}`, { detail: { provider } });
  return { tool, source: { provider, allow: [tool.definition.scope] }, revision };
}

function unansweredBy(joined: Joined, allowRisky: boolean): readonly string[] {
  const holds = policiesOf(joined);
  return allowRisky ? holds.filter((hold) => !hold.startsWith(`${DECLARATION}:`)) : holds;
}

interface Blocked {
  readonly reason: string;
  readonly holds: readonly string[];
  readonly refusal: Refusal;
}

function blockedBy(joined: Joined, holds: readonly string[], { allowRisky }: DebugProposal): Blocked {
  const spoke = joined.holds.find(({ gate, verdict }) => verdict.is === 'hold' && holds.includes(`${gate}:${verdict.policy}`));
  const why = spoke?.verdict.is === 'hold' ? spoke.verdict.reason : '';
  const reason = allowRisky ? `allow_risky does not answer ${holds.join(', ')} (${why}).` : `It needs confirmation (${why}).`;
  return { reason, holds, refusal: new Refusal('BAILING_DEBUG_BLOCKED', 'debug_blocked', reason, { detail: { holds, says: why } }) };
}

/** Sees what passes the invoker on its way: time of signing, answer, duration. Changes nothing of it. */
class Watched {
  readonly deps: CallDeps;
  digest: string | undefined;
  blocked: Blocked | undefined;
  private call: GovernedCall | undefined;
  private provider: ProviderSettings | undefined;
  private signedAt: Ms | undefined;
  private key: string | undefined;
  private response: DebugResponse | undefined;

  constructor(given: CallDeps) {
    this.deps = {
      ...given,
      invoker: (provider, binding) => {
        const invoker = given.invoker(provider, binding);
        return invoker && this.watching(invoker);
      },
    };
  }

  about(call: GovernedCall, provider: ProviderSettings): void {
    this.call = call;
    this.provider = provider;
  }

  ended(result: CallResult): Debugged {
    const { digest, signedAt, key, blocked } = this;
    // Answered, and nothing was sent: the journal knew it.
    const response =
      this.response ?? (result.code === undefined && !isSettled(result) ? this.shown(result.status, result.text, 0) : undefined);
    return {
      result,
      ...(blocked && { blocked: { reason: blocked.reason, holds: blocked.holds } }),
      ...(digest !== undefined && { digest }),
      ...(signedAt !== undefined && { signedAt }),
      ...(key !== undefined && { idempotencyKey: key }),
      ...(response && { response }),
    };
  }

  private watching(invoker: Invoker): Invoker {
    return {
      freeze: (tool, args, context) => invoker.freeze(tool, args, context),
      send: async (frozen, ticket, context, signal) => {
        this.signedAt = ticket.signAt;
        this.key = ticket.key;
        const began = performance.now();
        const outcome = await invoker.send(frozen, ticket, context, signal);
        this.note(outcome, Math.round(performance.now() - began));
        return outcome;
      },
    };
  }

  private note(outcome: Outcome, took: Ms): void {
    if (outcome.is === 'not-sent') this.signedAt = this.key = undefined;
    if (outcome.is === 'answered') this.response = this.shown(outcome.answer.status, outcome.answer.body, took);
  }

  private shown(status: number, body: string, took: Ms): DebugResponse | undefined {
    if (!this.call) return undefined;
    const kept = respEvidence(this.call.tool, this.provider, { body, bytes: utf8Length(body) });
    return { status, duration_ms: took, text: String(kept['resp']), truncated: kept['resp_truncated'] === true };
  }
}
