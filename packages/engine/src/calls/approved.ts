import type { FrozenCall, GovernedCall } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Approval } from '../ports/index.js';
import { carryOut } from './call.js';
import type { CallDeps } from './deps.js';
import { argumentsFence, readArguments } from './fences/arguments.js';
import { scopeFence, stopFence } from './fences/scope.js';
import { policiesOf, type Joined } from './gates.js';
import { hold } from './hold.js';
import { Refusal } from './refusal.js';
import { asRefusal, refuse, type Trail } from './refuse.js';
import type { CallResult } from './result.js';
import type { Seat } from './seat.js';
import { deniedBy, freeze, govern, judgeBoth, keyOf, prepare, recordedBefore, spendsOf, subjectFence } from './steps.js';

/**
 * The frozen call of an approval, run by the hub itself, once, through the whole exit: every fence is asked again, the stored argument text is
 * what is parsed and sent, and the approval is spent in the intend commit. It answers the holds it lists; a new hold is a new question. Whatever
 * would be sent differently than approved makes the approval void, by name.
 */
export async function callApproved(seat: Seat, approval: Approval, deps: CallDeps): Promise<CallResult> {
  const proposal = { tool: approval.tool, arguments: approval.args };
  const trail: Trail = { approval: approval.id };
  try {
    const { pinned, today } = scopeFence(seat, proposal, deps);
    stopFence(seat, pinned.source.provider, deps);
    trail.tool = today;
    const args = readArguments(proposal, today.tool);
    const governed = (trail.call = govern(seat, today, args, deps));
    subjectFence(governed, pinned);
    const changed = changedSince(approval, governed);
    if (changed !== null) return await voided(seat, approval, changed, deps);
    argumentsFence(args, [pinned.tool, today.tool]);
    const { frozen, invoker, provider } = freeze(seat, governed, deps);
    if (frozen.digest !== approvedDigest(approval)) return await voided(seat, approval, 'request_changed', deps);
    const key = keyOf(seat, governed);
    const known = await recordedBefore(seat, governed, key, deps);
    if (known) return known;
    const joined = await judgeBoth(governed, pinned, deps);
    if (joined.verdict.is === 'deny') throw deniedBy(joined);
    const unanswered = unansweredBy(approval, joined);
    if (unanswered.length > 0) return await askAnew(seat, approval, governed, frozen, joined, deps);
    const spends = spendsOf(governed, deps);
    if (spends instanceof Refusal) throw spends;
    const consume = { approval: approval.id, fingerprint: approval.fingerprint };
    const prepared = { ...prepare(seat, governed, frozen, invoker, key, provider, spends, deps), journalled: true, consume };
    return await carryOut(seat, prepared, deps);
  } catch (error) {
    return refuse(seat, proposal, trail, asRefusal(error, seat, deps), deps);
  }
}

/** Why the call of today is not the one that was approved, in a word; null where it is. */
function changedSince(approval: Approval, governed: GovernedCall): string | null {
  if (governed.tool.fingerprint !== approval.fingerprint) return 'fingerprint_changed';
  if (governed.subject !== approval.subject) return 'subject_changed';
  return governed.argsHash === approval.argsHash ? null : 'arguments_changed';
}

/** What the approver saw; the intent was written by this hub and is read back as it was stored. */
function approvedDigest(approval: Approval): string {
  return intentOf(approval).request?.digest ?? '';
}

function unansweredBy(approval: Approval, joined: Joined): readonly string[] {
  const answered = new Set(intentOf(approval).holds ?? []);
  return policiesOf(joined).filter((hold) => !answered.has(hold));
}

function intentOf(approval: Approval): { readonly request?: { readonly digest?: string }; readonly holds?: readonly string[] } {
  return JSON.parse(approval.frozen) as ReturnType<typeof intentOf>;
}

async function askAnew(
  seat: Seat,
  approval: Approval,
  governed: GovernedCall,
  frozen: FrozenCall,
  joined: Joined,
  deps: CallDeps,
): Promise<CallResult> {
  const supersedes = { id: approval.id, line: voidLine(seat, approval, 'new_hold', deps) };
  return hold(seat, governed, frozen, keyOf(seat, governed), joined, deps, supersedes);
}

async function voided(seat: Seat, approval: Approval, reason: string, deps: CallDeps): Promise<CallResult> {
  const noted = voidLine(seat, approval, reason, deps);
  await deps.approvals.voidOpen([{ id: approval.id, job: approval.job, line: noted }], reason);
  deps.observe(noted);
  const refusal = new Refusal(
    'BAILING_APPROVAL_VOID',
    reason,
    `Approval ${String(approval.id)} is void (${reason}); its call was not run.`,
  );
  return refusal.answer;
}

function voidLine(seat: Seat, approval: Approval, reason: string, deps: CallDeps) {
  const detail = { approval_id: approval.id, tool: approval.tool, scope: approval.scope, reason };
  return line('tool_approval_void', { job: seat.job.id, requestId: seat.job.requestId }, deps.clock.now(), detail);
}
