import { argsHash, DEFAULT_MAX_CALLS, idempotencyKey } from '@bailing/contract';
import type { FrozenCall, GovernedCall, Invoker, Spend } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Granted } from '../catalog/index.js';
import type { Key, ProviderSettings } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import { argsEvidence, callDetail } from './evidence.js';
import { argumentsFence, parseArguments, type Args } from './fences/arguments.js';
import { scopeFence, stopFence } from './fences/scope.js';
import { join, judge, type Joined } from './gates.js';
import { hold } from './hold.js';
import { intend } from './intend.js';
import { invoke } from './invoke.js';
import type { Prepared } from './prepared.js';
import { Refusal } from './refusal.js';
import { awaitOutcome, replay } from './replay.js';
import { executionOf, reconcile, type CallResult } from './result.js';
import type { Proposal, Seat } from './seat.js';
import { settle } from './settle.js';

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
    const joined = await judgeBoth(seat, governed, pinned, deps);
    if (joined.verdict.is === 'hold') return await hold(seat, governed, frozen, key, joined, deps);
    const prepared = prepare(seat, governed, frozen, invoker, key, provider, deps);
    const intended = await intend(seat, prepared, deps);
    if (!('is' in intended)) return intended;
    if (intended.is === 'replay') return await replay(seat, governed.tool, key, intended.was, deps);
    if (intended.is === 'wait') return await awaitOutcome(seat, prepared, intended.row, deps);
    return await settle(seat, prepared, intended.ticket, await invoke(seat, prepared, intended.ticket, deps), deps);
  } catch (error) {
    return refuse(seat, proposal, trail, asRefusal(error, seat, deps), deps);
  }
}

/** What is known of a call by the time it is refused. */
interface Trail {
  tool?: Granted;
  call?: GovernedCall;
}

function govern(seat: Seat, { tool, source }: Granted, args: Args, deps: CallDeps): GovernedCall {
  const { id, requestId, route, client, source: jobSource } = seat.job;
  return Object.freeze({
    job: Object.freeze({ id, requestId, route, client, source: jobSource }),
    subject: seat.subjects.get(source.provider) ?? '',
    tool: tool.definition,
    provider: Object.freeze({ name: source.provider, ratePerMin: deps.settings().provider(source.provider)?.rate_limit_per_min ?? 0 }),
    args,
    argsHash: argsHash(args),
  });
}

function subjectFence(governed: GovernedCall, pinned: Granted): void {
  if (governed.subject !== '' || !(governed.tool.requiresSubject || pinned.tool.definition.requiresSubject)) return;
  throw new Refusal('BAILING_SUBJECT_MISSING', 'subject_missing', 'This tool acts for a person, and this job has no trusted subject.');
}

/** Decides the bytes before anybody judges them, so that an approver sees what will be sent. */
function freeze(seat: Seat, governed: GovernedCall, deps: CallDeps): { frozen: FrozenCall; invoker: Invoker; provider: ProviderSettings } {
  const provider = deps.settings().provider(governed.provider.name);
  const invoker = deps.invoker(governed.provider.name, governed.tool.binding);
  if (!provider || !invoker)
    throw new Refusal('BAILING_CALL_STOPPED', 'provider_missing', 'The provider of this tool is not configured any more.');
  const context = { job: seat.job.id, client: seat.job.client, subject: governed.subject, scope: governed.tool.scope };
  return { frozen: invoker.freeze(governed.tool, governed.args, context), invoker, provider };
}

function keyOf(seat: Seat, governed: GovernedCall): Key {
  const tool = governed.tool.name;
  const idem = idempotencyKey({ jobId: seat.job.id, tool, argsHash: governed.argsHash, onBehalfOf: governed.subject });
  return { job: seat.job.id, tool, argsHash: governed.argsHash, idem };
}

/** A completed write is answered again and an unresolved one freezes, before any gate is asked or any approval opened. */
async function alreadyKnown(seat: Seat, governed: GovernedCall, key: Key, deps: CallDeps): Promise<CallResult | null> {
  if (!governed.tool.sideEffecting) return null;
  const now = deps.clock.now();
  const [recorded, open] = await journal(() => Promise.all([deps.calls.recorded(key), deps.calls.unresolved(seat.job.id)]));
  const frozen = open.find((row) => row.state !== 'dispatching' || row.sendBy <= now);
  if (frozen) return reconcile(executionOf(frozen), false, 'BAILING_CALL_FROZEN');
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
async function judgeBoth(seat: Seat, governed: GovernedCall, pinned: Granted, deps: CallDeps): Promise<Joined> {
  if (await journal(() => deps.calls.twiceFailed(seat.job.id, governed.tool.name))) {
    throw new Refusal(
      'BAILING_TOOL_DISABLED_FOR_JOB',
      'failed_twice',
      `${governed.tool.name} failed twice in a row and is off for the rest of this job.`,
    );
  }
  const judged = [...(await judge(governed, deps))];
  if (pinned.tool.definition.fingerprint !== governed.tool.fingerprint) {
    judged.push(...(await judge(Object.freeze({ ...governed, tool: pinned.tool.definition }), deps)));
  }
  const joined = join(judged);
  const { verdict } = joined;
  if (verdict.is !== 'deny') return joined;
  const code = verdict.code === 'BAILING_GATE_FAILED' ? 'BAILING_GATE_FAILED' : 'BAILING_CALL_DENIED';
  throw new Refusal(code, verdict.code, `A policy denies this call: ${verdict.reason}.`, {
    detail: { gate: joined.by, says: verdict.reason.slice(0, 300) },
  });
}

function prepare(
  seat: Seat,
  call: GovernedCall,
  frozen: FrozenCall,
  invoker: Invoker,
  key: Key,
  provider: ProviderSettings,
  deps: CallDeps,
): Prepared {
  return {
    call,
    frozen,
    invoker,
    key,
    provider,
    spends: spendsOf(call, deps),
    maxCalls: deps.settings().route(seat.job.route)?.tools?.max_calls ?? DEFAULT_MAX_CALLS,
    journalled: call.tool.sideEffecting,
  };
}

/** A quota that fails is a quota that refuses. */
function spendsOf(call: GovernedCall, deps: CallDeps): readonly Spend[] {
  return deps.quotas.flatMap(({ plugin, name, value }) => {
    try {
      return value.spends(call);
    } catch {
      throw new Refusal('BAILING_GATE_FAILED', 'quota_failed', `The quota ${plugin}/${name} failed, so the call is denied.`);
    }
  });
}

function asRefusal(error: unknown, seat: Seat, deps: CallDeps): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BailingError) return new Refusal(error.code, error.code.toLowerCase(), error.detail ?? '');
  deps.log.error('the exit failed before sending; the call is refused', { job: seat.job.id, error: String(error) });
  return new Refusal('BAILING_JOURNAL_UNAVAILABLE', 'exit_failed', '');
}

/** Refused calls are audited too (TRAPS 15). The refusal stands even when its audit line cannot be written. */
async function refuse(seat: Seat, proposal: Proposal, trail: Trail, refusal: Refusal, deps: CallDeps): Promise<CallResult> {
  const about = trail.call
    ? { ...callDetail(trail.call, null), ...argsEvidence(trail.call, deps.settings().provider(trail.call.provider.name)) }
    : { tool: proposal.tool.slice(0, 64), scope: trail.tool?.tool.definition.scope ?? null };
  const of = { job: seat.job.id, requestId: seat.job.requestId };
  const noted = line(refusal.more.event ?? 'tool_blocked', of, deps.clock.now(), {
    ...about,
    reason: refusal.reason,
    code: refusal.code,
    ...refusal.more.detail,
  });
  try {
    await deps.calls.refused(noted);
    deps.observe(noted, trail.call);
  } catch (error) {
    deps.log.error('a refusal could not be audited', { job: seat.job.id, code: refusal.code, error: String(error) });
  }
  const governance =
    refusal.code === 'BAILING_JOURNAL_UNAVAILABLE' ? { governance: { state: 'execution_journal_unavailable' } as const } : {};
  return { ...refusal.answer, ...governance };
}
