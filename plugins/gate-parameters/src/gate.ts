import type { Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import type { Rule } from './config.js';
import { affectedCount, crossTenant, externalDelivery, largeAmount, sensitiveField, type Found } from './questions.js';

/** Holds or denies, never allows more than before: without a finding it simply has nothing to say. */
export function parametersGate(rules: readonly Rule[]): Gate {
  return { judge: (call) => strictest(rules.filter((rule) => applies(rule, call)).flatMap((rule) => answers(rule, call))) };
}

function applies(rule: Rule, call: GovernedCall): boolean {
  const within = (list: readonly string[] | undefined, name: string) => !list || list.includes(name);
  if (rule.channels && !through(rule.channels, call)) return false;
  return within(rule.providers, call.provider.name) && within(rule.routes, call.job.route) && within(rule.tools, call.tool.name);
}

function through(channels: readonly string[], { tool, args }: GovernedCall): boolean {
  return tool.name === 'send_message' && typeof args.channel === 'string' && channels.includes(args.channel);
}

function answers(rule: Rule, call: GovernedCall): Verdict[] {
  const asked: readonly (readonly [Found | null | undefined, 'hold' | 'deny' | undefined])[] = [
    [rule.tenant && crossTenant(rule.tenant, call), rule.tenant?.verdict],
    [rule.sensitive && sensitiveField(rule.sensitive, call), rule.sensitive?.verdict],
    [rule.count && affectedCount(rule.count, call), rule.count?.verdict],
    [rule.amount && largeAmount(rule.amount, call), rule.amount?.verdict],
    [rule.external && externalDelivery(rule.external, call), rule.external?.verdict],
  ];
  return asked.flatMap(([found, verdict]) => (found ? [verdictFor(found, verdict ?? 'hold')] : []));
}

function verdictFor({ policy, param, reason, sure }: Found, verdict: 'hold' | 'deny'): Verdict {
  // What cannot be judged is denied: an approver could not judge it either.
  if (!sure || verdict === 'deny') return { is: 'deny', code: `parameters_${policy}:${param}`, reason };
  return { is: 'hold', policy: `parameters_${policy}`, reason, condition: { param, policy, reason } };
}

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ is }) => is === 'deny') ?? verdicts.find(({ is }) => is === 'hold') ?? { is: 'allow' };
}
