import { ID, isId, SLUG } from '../mentions/find.js';
import type { Mention } from '../mentions/mention.js';
import type { Param } from './params.js';
import { patternOf, textOf } from './schema.js';

/** The value a mention would have as this parameter; undefined where the kinds do not go together. Nothing is rounded or guessed. */
export function valueAs(mention: Mention, param: Param): string | number | undefined {
  if (param.type === 'integer' || param.type === 'number') return numberAs(mention, param);
  if (param.type !== 'string' || Array.isArray(param.node.enum)) return undefined;
  const value = textAs(mention, param);
  const pattern = value === undefined ? undefined : patternOf(param.node);
  if (value === undefined || !pattern || pattern.test(value)) return value;
  const upper = value.toUpperCase();
  return pattern.test(upper) ? upper : undefined;
}

function numberAs(mention: Mention, param: Param): number | undefined {
  if (mention.kind !== 'number' || typeof mention.value !== 'number') return undefined;
  if (param.type === 'integer' && !Number.isInteger(mention.value) && !inMinorUnits(param)) return undefined;
  if (mention.unit === 'week' && param.allTerms.has('t:day') && !param.allTerms.has('w:week')) return mention.value * 7;
  if (!inMinorUnits(param)) return mention.value;
  // An amount in cents needs to know that the user spoke of whole units.
  return mention.unit === 'money' ? Math.round(mention.value * 100) : undefined;
}

function inMinorUnits(param: Param): boolean {
  return param.role === 'money' && /\b(in |of )?(cents|minor units?)\b|单位[：:为是]?\s*分|以分为|[（(]分[)）]/i.test(param.says);
}

function textAs(mention: Mention, param: Param): string | undefined {
  const format = textOf(param.node.format);
  switch (mention.kind) {
    case 'vague':
      return undefined;
    case 'date':
      return format === 'date-time' || format === 'time' ? undefined : String(mention.value);
    case 'datetime':
      if (format === 'date') return String(mention.value).slice(0, 10);
      // RFC 3339 wants a zone, and the user named none unless it stands there.
      return format === 'date-time' && !/(Z|[+-]\d{2}:\d{2})$/.test(String(mention.value)) ? undefined : String(mention.value);
    case 'time':
      return format === 'date' || format === 'date-time' ? undefined : String(mention.value);
    case 'number':
      return mention.weak ? undefined : mention.text.replace(/(?<=\d),(?=\d{3})/g, '');
    default:
      return String(mention.value);
  }
}

/** Letters as `A`, digits as `9`, the rest as it is: `A-1001` → `A-9999`. */
export function shapeOf(text: string): string {
  return text.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/\d/g, '9');
}

/** The same with runs shortened, so that `A-1` and `A-1001` agree. */
export function looseShape(text: string): string {
  return shapeOf(text.toUpperCase()).replace(/(.)\1+/g, '$1');
}

/** Values shown in the schema as samples: `example`, `examples`, `default`, and ids inside the description. */
export function samplesOf(param: Param): string[] {
  const { example, examples, default: preset } = param.node;
  const listed = [example, preset, ...(Array.isArray(examples) ? (examples as unknown[]) : [])].filter(
    (one): one is string => typeof one === 'string',
  );
  const shown = [...(param.says.match(ID) ?? []).filter((word) => isId(word) || /^\d{3,}$/.test(word)), ...(param.says.match(SLUG) ?? [])];
  return [...listed, ...shown];
}
