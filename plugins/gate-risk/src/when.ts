import { canonicalJson } from '@bailing/contract';
import type { ConfirmCondition, JsonSchema } from '@bailing/plugin-api';
import { typesAt } from './schema-at.js';

/** One condition against the arguments: it matches, it does not, or the call must be refused (WIRE §5). */
export type Met =
  { readonly is: 'match'; readonly actual: unknown } | { readonly is: 'no' } | { readonly is: 'refuse'; readonly why: string };

const NO: Met = { is: 'no' };

/** A wrong JSON type is refused, never read as not matching: `"5000"` must not slip past `amount > 1000`. */
export function evaluate(condition: ConfirmCondition, args: Readonly<Record<string, unknown>>, schema: JsonSchema): Met {
  const { param, op, value: wanted } = condition;
  const typed = typesAt(schema, param);
  if (!typed.ok) return { is: 'refuse', why: `confirm_when_${typed.why}:${param}` };
  const actual = valueAt(args, param);
  if (actual !== undefined && !allowed(actual, typed.types)) return wrongType(param);
  if (op === 'exists') return when(actual !== undefined && actual !== null, actual);
  if (op === '!=') return when(actual === undefined || canonicalJson(actual) !== canonicalJson(wanted), actual);
  if (actual === undefined) return NO;
  switch (op) {
    case '==':
      return when(canonicalJson(actual) === canonicalJson(wanted), actual);
    case 'in':
      return isIn(actual, wanted, param);
    case 'contains':
      return contains(actual, wanted, param);
    default:
      return compare(op, actual, wanted, param);
  }
}

function valueAt(args: unknown, param: string): unknown {
  let value = args;
  for (const name of param.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function allowed(value: unknown, types: ReadonlySet<string>): boolean {
  const type = jsonType(value);
  return types.has(type) || (type === 'number' && types.has('integer') && Number.isInteger(value));
}

function when(matches: boolean, actual: unknown): Met {
  return matches ? { is: 'match', actual } : NO;
}

function wrongType(param: string): Met {
  return { is: 'refuse', why: `confirm_when_argument_type:${param}` };
}

function isIn(actual: unknown, wanted: unknown, param: string): Met {
  if (!Array.isArray(wanted)) return { is: 'refuse', why: `confirm_when_invalid_in:${param}` };
  if (!wanted.some((member) => jsonType(member) === jsonType(actual))) return wrongType(param);
  const text = canonicalJson(actual);
  return when(
    wanted.some((member) => canonicalJson(member) === text),
    actual,
  );
}

function contains(actual: unknown, wanted: unknown, param: string): Met {
  if (typeof actual === 'string') return typeof wanted === 'string' ? when(actual.includes(wanted), actual) : wrongType(param);
  if (!Array.isArray(actual)) return actual === null ? NO : wrongType(param);
  const text = canonicalJson(wanted);
  return when(
    actual.some((member) => canonicalJson(member) === text),
    actual,
  );
}

function compare(op: '>' | '>=' | '<' | '<=', actual: unknown, wanted: unknown, param: string): Met {
  if (typeof actual !== 'number' || typeof wanted !== 'number') return wrongType(param);
  const held = { '>': actual > wanted, '>=': actual >= wanted, '<': actual < wanted, '<=': actual <= wanted }[op];
  return when(held, actual);
}
