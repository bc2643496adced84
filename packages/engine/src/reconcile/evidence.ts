import type { Answer, EvidenceRule, ReconcileHint } from '@bailing/plugin-api';

export type Finding = 'applied' | 'not_applied' | 'inconclusive';

/** What an answer of the probe means. Both rules at once, or neither, mean nothing. */
export function findingOf(hint: ReconcileHint, answer: Answer): Finding {
  const applied = holds(hint.applied, answer);
  if (applied === holds(hint.notApplied, answer)) return 'inconclusive';
  return applied ? 'applied' : 'not_applied';
}

function holds(rule: EvidenceRule, answer: Answer): boolean {
  if (rule.status === undefined && rule.pointer === undefined) return false;
  if (rule.status !== undefined && rule.status !== answer.status) return false;
  if (rule.status === undefined && (answer.status < 200 || answer.status > 299)) return false;
  if (rule.pointer === undefined) return true;
  const found = at(bodyOf(answer.body), rule.pointer);
  return rule.equals === undefined ? found !== undefined && found !== null : found === rule.equals;
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** RFC 6901. Undefined where nothing stands. */
function at(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let found = value;
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/**
 * Reads `x-bailing-reconcile`: `{ operation, key, applied: {status?, pointer?, equals?}, not_applied: {…} }`. Undefined where it is not there or not of
 * this form; a broken declaration probes nothing.
 */
export function reconcileHint(value: unknown): ReconcileHint | undefined {
  if (!isObject(value)) return undefined;
  const { operation, key, applied, not_applied: notApplied } = value;
  if (typeof operation !== 'string' || operation === '' || typeof key !== 'string' || key === '') return undefined;
  const rules = [ruleOf(applied), ruleOf(notApplied)] as const;
  return rules[0] && rules[1] ? { operation, key, applied: rules[0], notApplied: rules[1] } : undefined;
}

function ruleOf(value: unknown): EvidenceRule | undefined {
  if (!isObject(value)) return undefined;
  const { status, pointer, equals } = value;
  const sound =
    (status === undefined || (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599)) &&
    (pointer === undefined || (typeof pointer === 'string' && (pointer === '' || pointer.startsWith('/')))) &&
    (equals === undefined || equals === null || ['string', 'number', 'boolean'].includes(typeof equals)) &&
    (status !== undefined || pointer !== undefined);
  return sound ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
