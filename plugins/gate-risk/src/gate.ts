import type { ConfirmCondition, Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import { evaluate, type Met } from './when.js';

/**
 * Risk as the business declared it (WIRE §5). High risk, `approval.required` or a matching `approval.when` hold the call; low and medium
 * pass. Reported by precedence: risk_high, confirm_required, confirm_when. A condition that cannot be judged refuses the call, whatever else
 * would have held it.
 */
export const riskGate: Gate = {
  judge(call: GovernedCall): Verdict {
    const { tool, args } = call;
    const met = tool.confirmWhen.map((condition) => ({ condition, met: evaluate(condition, args, tool.input) }));
    for (const { condition, met: one } of met) if (one.is === 'refuse') return refuse(one, condition);
    if (tool.risk === 'high') return { is: 'hold', policy: 'risk_high', reason: 'risk=high' };
    if (tool.confirmRequired) return { is: 'hold', policy: 'confirm_required', reason: 'confirm-required' };
    for (const { condition, met: one } of met) if (one.is === 'match') return holdFor(condition, one.actual);
    return { is: 'allow' };
  },
};

function refuse(met: Extract<Met, { is: 'refuse' }>, condition: ConfirmCondition): Verdict {
  return { is: 'deny', code: met.why, reason: `the condition on ${condition.param} cannot be judged for this argument` };
}

function holdFor(condition: ConfirmCondition, actual: unknown): Verdict {
  const { param, op, value, label } = condition;
  const written = op === 'exists' ? `${param} exists` : `${param} ${op} ${JSON.stringify(value)}`;
  const reason = label ?? `confirm_when: ${written}`;
  return {
    is: 'hold',
    policy: 'confirm_when',
    reason,
    condition: { param, op, ...(value !== undefined && { value }), ...(actual !== undefined && { actual }), reason },
  };
}
