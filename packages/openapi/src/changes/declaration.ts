import type { AccCondition, AccDeclaration, AccRisk, AccWindow } from '@bailing/contract';
import { sameJson, type Direction, type Facts } from './fact.js';

const RISKS: readonly AccRisk[] = ['low', 'medium', 'high'];
const SECONDS: Readonly<Record<AccWindow, number>> = { '1s': 1, '1m': 60, '1h': 3_600, '1d': 86_400 };

/** Judges what changed between two valid declarations of one tool. */
export function judgeDeclaration(before: AccDeclaration, after: AccDeclaration, allow: readonly string[] | undefined, facts: Facts): void {
  const [was, is] = [RISKS.indexOf(before.risk), RISKS.indexOf(after.risk)];
  if (was !== is)
    facts.add(
      is < was ? 'looser' : 'tighter',
      is < was ? 'risk_lowered' : 'risk_raised',
      `The risk went from ${before.risk} to ${after.risk}.`,
      { before: before.risk, after: after.risk },
    );
  flag(facts, before.confirmRequired, after.confirmRequired, 'approval', 'Every call needs an approval');
  judgeConditions(before.confirmWhen, after.confirmWhen, facts);
  flag(facts, before.subjectRequired, after.subjectRequired, 'subject_required', 'A subject is required');
  flag(facts, before.sensitive, after.sensitive, 'audit_sensitive', 'Arguments are kept out of the audit');
  flag(facts, !before.readonly, !after.readonly, 'write', 'The tool counts as writing');
  flag(facts, !before.idempotent, !after.idempotent, 'once_only', 'The tool counts as one that must not be sent twice');
  judgeRate(before.rateLimit, after.rateLimit, facts);
  judgeScope(before.scope, after.scope, allow, facts);
  if (before.timeoutMs !== after.timeoutMs)
    facts.add('neutral', 'timeout_changed', 'The time limit changed.', { before: before.timeoutMs, after: after.timeoutMs });
  if (before.confirmPrompt !== after.confirmPrompt)
    facts.add('neutral', 'prompt_changed', 'The text that an approver reads changed.', {
      before: before.confirmPrompt,
      after: after.confirmPrompt,
    });
}

/** A protection that is on or off. */
function flag(facts: Facts, before: boolean, after: boolean, code: string, what: string): void {
  if (before === after) return;
  if (before) facts.add('looser', `${code}_dropped`, `${what}: no longer.`, { before, after });
  else facts.add('tighter', `${code}_added`, `${what}: new.`, { before, after });
}

function judgeConditions(before: readonly AccCondition[], after: readonly AccCondition[], facts: Facts): void {
  const left = [...after];
  const changed: AccCondition[] = [];
  for (const one of before) {
    const same = left.findIndex((other) => sameRule(one, other));
    if (same >= 0) left.splice(same, 1);
    else changed.push(one);
  }
  for (const one of changed) {
    const partner = left.findIndex((other) => other.param === one.param && other.op === one.op);
    const [other] = partner >= 0 ? left.splice(partner, 1) : [];
    if (!other)
      facts.add('looser', 'approval_condition_dropped', `No approval is asked for any more when ${spell(one)}.`, {
        param: one.param,
        before: one,
      });
    else movedCondition(one, other, facts);
  }
  for (const one of left)
    facts.add('tighter', 'approval_condition_added', `An approval is now asked for when ${spell(one)}.`, { param: one.param, after: one });
}

function sameRule(a: AccCondition, b: AccCondition): boolean {
  return a.param === b.param && a.op === b.op && sameJson(a.value, b.value);
}

function movedCondition(before: AccCondition, after: AccCondition, facts: Facts): void {
  const direction = conditionMove(before, after);
  const code = direction === 'tighter' ? 'approval_condition_widened' : 'approval_condition_narrowed';
  facts.add(direction, code, `An approval was asked for when ${spell(before)}, and is now when ${spell(after)}.`, {
    param: before.param,
    before: before.value,
    after: after.value,
  });
}

/** Tighter where the new condition holds whenever the old one did. */
function conditionMove(before: AccCondition, after: AccCondition): Direction {
  const [was, is] = [before.value, after.value];
  if (typeof was === 'number' && typeof is === 'number') {
    if (before.op === '>' || before.op === '>=') return is < was ? 'tighter' : 'looser';
    if (before.op === '<' || before.op === '<=') return is > was ? 'tighter' : 'looser';
  }
  if (before.op === 'in' && Array.isArray(was) && Array.isArray(is))
    return was.every((one) => is.some((other) => sameJson(one, other))) ? 'tighter' : 'looser';
  return 'looser';
}

function spell(condition: AccCondition): string {
  const value = condition.op === 'exists' ? '' : ` ${JSON.stringify(condition.value)}`;
  return `${condition.param} ${condition.op}${value}`;
}

function judgeRate(before: AccDeclaration['rateLimit'], after: AccDeclaration['rateLimit'], facts: Facts): void {
  if (sameJson(before, after)) return;
  if (!after) return facts.add('looser', 'rate_limit_dropped', 'The rate limit is gone.', { before });
  if (!before) return facts.add('tighter', 'rate_limit_added', 'A rate limit is new.', { after });
  const [was, is] = [before.count / SECONDS[before.window], after.count / SECONDS[after.window]];
  const tighter = is <= was && after.count <= before.count;
  facts.add(
    tighter ? 'tighter' : 'looser',
    tighter ? 'rate_limit_lowered' : 'rate_limit_raised',
    `The rate limit went from ${before.count}/${before.window} to ${after.count}/${after.window}.`,
    { before, after },
  );
}

function judgeScope(before: string, after: string, allow: readonly string[] | undefined, facts: Facts): void {
  if (before === after) return;
  const direction = ((): Direction => {
    if (!allow) return 'looser';
    const [was, is] = [reaches(allow, before), reaches(allow, after)];
    return was === is ? 'neutral' : is ? 'looser' : 'tighter';
  })();
  facts.add(direction, 'scope_moved', `The scope moved from ${before} to ${after}.`, { before, after });
}

/** Allow-list matching of WIRE §4.7: exact, `a.b.*` for anything below `a.b.`, `*` for all. */
export function reaches(allow: readonly string[], scope: string): boolean {
  return allow.some((one) => one === '*' || one === scope || (one.endsWith('.*') && scope.startsWith(one.slice(0, -1))));
}
