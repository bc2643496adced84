import { argsHash, DEFAULT_MAX_CALLS, idempotencyKey, sendHash, SENDS_PER_JOB } from '@bailing/contract';
import type { FrozenCall, GovernedCall, Invoker, Spend } from '@bailing/plugin-api';
import type { Granted } from '../catalog/index.js';
import { isSend, messageOf } from '../messages/index.js';
import type { Key, ProviderSettings } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import type { Args } from './fences/arguments.js';
import { subjectMissing } from './fences/scope.js';
import { join, judge, type Joined } from './gates.js';
import type { Prepared } from './prepared.js';
import { frozenBy, Refusal, twiceFailed } from './refusal.js';
import { replay } from './replay.js';
import type { CallResult } from './result.js';
import type { Seat } from './seat.js';

export function govern(seat: Seat, { tool, source }: Granted, args: Args, deps: CallDeps): GovernedCall {
  const { id, requestId, route, client, source: jobSource } = seat.job;
  return Object.freeze({
    job: Object.freeze({ id, requestId, route, client, source: jobSource }),
    subject: seat.subjects.get(source.provider) ?? '',
    tool: tool.definition,
    provider: Object.freeze({ name: source.provider, ratePerMin: deps.settings().provider(source.provider)?.rate_limit_per_min ?? 0 }),
    args,
    argsHash: hashOf(tool, args),
  });
}

/** A message has a hash of its own (WIRE §7.3). Arguments that are none get the plain one: they are refused right after. */
function hashOf({ definition, check }: Granted['tool'], args: Args): string {
  return isSend(definition) && check(args).length === 0 ? sendHash(messageOf(args)) : argsHash(args);
}

export function subjectFence(governed: GovernedCall, pinned: Granted): void {
  if (governed.subject !== '' || !(governed.tool.requiresSubject || pinned.tool.definition.requiresSubject)) return;
  throw subjectMissing();
}

/** Decides the bytes before anybody judges them, so that an approver sees what will be sent. */
export function freeze(
  seat: Seat,
  governed: GovernedCall,
  deps: CallDeps,
): { frozen: FrozenCall; invoker: Invoker; provider: ProviderSettings } {
  const provider = deps.settings().provider(governed.provider.name);
  const invoker = deps.invoker(governed.provider.name, governed.tool.binding);
  if (!provider || !invoker)
    throw new Refusal('BAILING_CALL_STOPPED', 'provider_missing', 'The provider of this tool is not configured any more.');
  const context = { job: seat.job.id, client: seat.job.client, subject: governed.subject, scope: governed.tool.scope };
  return { frozen: invoker.freeze(governed.tool, governed.args, context), invoker, provider };
}

export function keyOf(seat: Seat, governed: GovernedCall): Key {
  const tool = governed.tool.name;
  const idem = idempotencyKey({ jobId: seat.job.id, tool, argsHash: governed.argsHash, onBehalfOf: governed.subject });
  return { job: seat.job.id, tool, argsHash: governed.argsHash, idem };
}

/**
 * What the journal says of a call that will not reach the intend commit: a completed write is answered again, an unresolved one freezes, and two
 * dispatched failures in a row end a tool's use in a job. A hold, a denial or a failing quota is told only where none of these is the case.
 */
export async function knownBefore(seat: Seat, governed: GovernedCall, key: Key, deps: CallDeps): Promise<CallResult | null> {
  const known = governed.tool.sideEffecting ? await recordedBefore(seat, governed, key, deps) : null;
  if (known) return known;
  if (await journal(() => deps.calls.twiceFailed(seat.job.id, governed.tool.name))) throw twiceFailed(governed.tool.name);
  return null;
}

/** The same question for a call that is journalled whatever it does, because it needs an approval. */
export async function recordedBefore(seat: Seat, governed: GovernedCall, key: Key, deps: CallDeps): Promise<CallResult | null> {
  const now = deps.clock.now();
  const [recorded, open] = await journal(() => Promise.all([deps.calls.recorded(key), deps.calls.unresolved(seat.job.id)]));
  const frozen = open.find((row) => row.state !== 'dispatching' || row.sendBy <= now);
  if (frozen) throw frozenBy(frozen);
  if (recorded && recorded.status !== 429 && recorded.status !== 503) return replay(seat, governed.tool, key, recorded, deps);
  return null;
}

async function journal<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw new Refusal('BAILING_JOURNAL_UNAVAILABLE', 'journal_unreadable', '');
  }
}

/** Gates judge the tool of today and, where it differs, the pinned one as well: the stricter answer wins. */
export async function judgeBoth(governed: GovernedCall, pinned: Granted, deps: CallDeps): Promise<Joined> {
  const judged = [...(await judge(governed, deps))];
  if (pinned.tool.definition.fingerprint !== governed.tool.fingerprint) {
    judged.push(...(await judge(Object.freeze({ ...governed, tool: pinned.tool.definition }), deps)));
  }
  return join(judged);
}

/** A joined denial as what it is answered with. */
export function deniedBy({ verdict, by }: Joined): Refusal {
  const { code: given, reason } = verdict as Extract<Joined['verdict'], { is: 'deny' }>;
  const code = given === 'BAILING_GATE_FAILED' ? 'BAILING_GATE_FAILED' : 'BAILING_CALL_DENIED';
  return new Refusal(code, given, `A policy denies this call: ${reason}.`, { detail: { gate: by, says: reason.slice(0, 300) } });
}

export function prepare(
  seat: Seat,
  call: GovernedCall,
  frozen: FrozenCall,
  invoker: Invoker,
  key: Key,
  provider: ProviderSettings,
  spends: readonly Spend[],
  deps: CallDeps,
): Prepared {
  return {
    call,
    frozen,
    invoker,
    key,
    provider,
    spends,
    maxCalls: deps.settings().route(seat.job.route)?.tools?.max_calls ?? DEFAULT_MAX_CALLS,
    journalled: call.tool.sideEffecting,
  };
}

/** Messages are not counted with the calls of a job; they have a limit of their own (WIRE §13.1), taken in the same commit. */
function ownSpends(call: GovernedCall): readonly Spend[] {
  return isSend(call.tool) ? [{ bucket: `${SENDS_BUCKET}${call.job.id}`, limit: SENDS_PER_JOB, windowMs: 30 * 86_400_000, cost: 1 }] : [];
}

export const SENDS_BUCKET = 'sends:';

/** What the quotas of a call declare. One that fails refuses. */
export function spendsOf(call: GovernedCall, deps: CallDeps): readonly Spend[] | Refusal {
  const spends: Spend[] = [...ownSpends(call)];
  for (const { plugin, name, value } of deps.quotas) {
    try {
      spends.push(...value.spends(call));
    } catch {
      return new Refusal('BAILING_GATE_FAILED', 'quota_failed', `The quota ${plugin}/${name} failed, so the call is denied.`);
    }
  }
  return spends;
}
