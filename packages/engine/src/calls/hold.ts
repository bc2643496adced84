import { canonicalJson } from '@bailing/contract';
import type { FrozenCall, GovernedCall, Verdict } from '@bailing/plugin-api';
import { openApproval } from '../approvals/open.js';
import type { Key, Question } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import { policiesOf, type Joined } from './gates.js';
import { Refusal } from './refusal.js';
import type { CallResult } from './result.js';
import type { Seat } from './seat.js';
import { recordedBefore } from './steps.js';

/**
 * The call is frozen as a question: row, notification, reserved budget and audit in one commit. Nothing is sent or spent. The same question asked
 * again is the same row; one that was denied before is answered as denied.
 */
export async function hold(
  seat: Seat,
  call: GovernedCall,
  frozen: FrozenCall,
  key: Key,
  joined: Joined,
  deps: CallDeps,
  supersedes?: Question['supersedes'],
): Promise<CallResult> {
  // A read that needs approval is journalled too; a write was looked up before anybody judged it.
  const known = call.tool.sideEffecting ? null : await recordedBefore(seat, call, key, deps);
  if (known) return known;
  const verdict = joined.verdict as Extract<Verdict, { is: 'hold' }>;
  const summary = summarise(call);
  const opened = await openApproval(
    { seat, call, frozen, key, verdict, holds: policiesOf(joined), summary, ...(supersedes && { supersedes }) },
    deps,
  );
  if (opened.is === 'lost-lease') throw new Refusal('BAILING_LEASE_LOST', 'lost_lease', '');
  if (opened.is === 'budget')
    throw new Refusal('BAILING_BUDGET_SPENT', 'budget_spent', `All ${String(opened.max)} calls of this job are used or reserved.`, {
      detail: { used: opened.used, max: opened.max },
    });
  if (opened.is === 'denied-before')
    throw new Refusal(
      'BAILING_APPROVAL_DENIED',
      'approval_denied_before',
      `An approver denied this very call (approval ${String(opened.id)}).`,
    );
  return {
    ok: false,
    status: 0,
    sent: false,
    code: 'BAILING_APPROVAL_PENDING',
    text:
      `This call needs approval and was submitted as approval ${String(opened.id)}: ${summary} (${verdict.reason}). ` +
      'Nothing was sent to the business. Tell the user that it is waiting for approval; do not repeat the call.',
    governance: { state: 'approval_pending', approvalId: opened.id, tool: call.tool.name, summary },
  };
}

/** The declaration's prompt with `{name}` replaced by top-level arguments (missing: left as it is), else tool and arguments. */
export function summarise(call: GovernedCall): string {
  const prompt = call.tool.confirmPrompt;
  if (prompt === undefined) return `${call.tool.name} ${canonicalJson(call.args)}`.slice(0, 500).toWellFormed();
  return prompt.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(call.args, name) ? call.args[name] : undefined;
    return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
  });
}
