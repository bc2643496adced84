import type { ApprovalFacts } from './governance.js';

/** Results are quoted up to here; the brain gets the whole recorded text when it makes the call again. */
const QUOTED_CHARS = 1_500;

/**
 * What a brain is told about approvals when its job runs again (WIRE §9.6, corrected): the approved calls were run by the hub already, with their
 * results; nobody has to repeat a call word for word. Null where there is nothing to tell.
 */
export function approvedNote({ approvals, executed }: ApprovalFacts): string | null {
  const lines: string[] = [];
  for (const { approval, recorded, unknown } of executed) {
    const what = `${approval.tool} ${approval.args} (approval ${String(approval.id)})`;
    const outcome = recorded ? `result: ${quoted(recorded.text)}` : unknown ? 'its outcome is not known' : 'its result is no longer kept';
    lines.push(`- already executed: ${what}; ${outcome}`);
  }
  for (const { id, tool, args, status, usedAt } of approvals) {
    if (usedAt !== null) continue;
    lines.push(`- ${SAYS[status]}: ${tool} ${args} (approval ${String(id)})`);
  }
  if (executed.length === 0 && approvals.every(({ status }) => status === 'pending')) return null;
  return [HEAD, ...lines].join('\n');
}

const HEAD =
  'Approvals of this job. Calls marked already executed were run by the hub exactly as approved: use their results, do not run them again; a repeated call only returns the same result. A call with any other argument is a new question.';

const SAYS = {
  pending: 'waiting for approval, not run',
  approved: 'approved but not run yet; it could not be run now',
  denied: 'denied by an approver, not run; do not propose it again',
  expired: 'expired without a decision, not run',
  void: 'void because the call changed since, not run',
} as const;

function quoted(text: string): string {
  return text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS).toWellFormed()}… (cut)` : text;
}
