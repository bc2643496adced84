import type { HttpArg } from '@bailing/plugin-api';
import { decodeForm, encodeForm, encodeReserved, unsafe } from './encode.js';
import type { Placed } from './place.js';
import { contractText, isObject, itemTexts, jsonText, scalarText, type Members } from './values.js';

type Pair = readonly [key: string, value: string];
type Encode = (text: string, name: string) => string;

/**
 * The raw query: the template's own text first, then the arguments in their order. No argument can repeat a name of the template or of another
 * argument, so a fixed part such as `?action=list` stays what it is. Empty where there is nothing.
 */
export function buildQuery(literal: string, placed: readonly Placed[], reserved: ReadonlySet<string>): string {
  const fixed = fixedPairs(literal);
  const own = new Set([...reserved, ...placed.map(({ arg }) => arg.name)]);
  const parts: string[] = literal === '' ? [] : [literal];
  for (const one of placed) {
    for (const [key, value] of pairsOf(one)) {
      const name = decodeForm(key);
      const already = fixed.get(name);
      if (already !== undefined && already === decodeForm(value)) continue;
      if (already !== undefined || (name !== one.arg.name && own.has(name))) {
        throw unsafe(`The argument ${JSON.stringify(one.arg.name)} would set the query member ${JSON.stringify(name)}, which is taken.`);
      }
      parts.push(`${key}=${value}`);
    }
  }
  return parts.join('&');
}

function fixedPairs(literal: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const part of literal.split('&')) {
    if (part === '') continue;
    const cut = part.indexOf('=');
    pairs.set(decodeForm(cut < 0 ? part : part.slice(0, cut)), cut < 0 ? '' : decodeForm(part.slice(cut + 1)));
  }
  return pairs;
}

/** The encoded pairs of one argument under its declared style. Also used for form-encoded bodies. */
export function pairsOf({ arg, value }: Placed): readonly Pair[] {
  const encode = arg.allowReserved === true ? encodeReserved : encodeForm;
  const key = encodeForm(arg.name, arg.name);
  if (arg.json === true) return [[key, encode(jsonText(value), arg.name)]];
  if (arg.style === undefined && arg.explode === undefined) return [[key, encode(contractText(value, arg.name), arg.name)]];
  if (Array.isArray(value)) return arrayPairs(arg, key, itemTexts(value, arg.name), encode);
  if (isObject(value)) return objectPairs(arg, key, value, encode);
  return [[key, encode(scalarText(value, arg.name), arg.name)]];
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', simple: ',', spaceDelimited: '%20', pipeDelimited: '%7C' };

function arrayPairs(arg: HttpArg, key: string, items: readonly string[], encode: Encode): readonly Pair[] {
  const encoded = items.map((item) => encode(item, arg.name));
  const separator = SEPARATORS[arg.style ?? 'form'];
  if (explodes(arg) || separator === undefined) return encoded.map((item) => [key, item] as const);
  return [[key, encoded.join(separator)]];
}

function objectPairs(arg: HttpArg, key: string, value: Members, encode: Encode): readonly Pair[] {
  if (arg.style === 'deepObject') return deepPairs(key, value, arg.name, encode);
  const members = Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .map(([name, item]) => [encodeForm(name, arg.name), encode(scalarText(item, arg.name), arg.name)] as const);
  if (explodes(arg)) return members;
  return [[key, members.flat().join(SEPARATORS[arg.style ?? 'form'] ?? ',')]];
}

/** `form` explodes unless it says no; the delimited styles only where they say yes. */
function explodes(arg: HttpArg): boolean {
  return arg.explode ?? (arg.style ?? 'form') === 'form';
}

function deepPairs(prefix: string, value: Members, name: string, encode: Encode): readonly Pair[] {
  return Object.entries(value).flatMap(([member, item]): readonly Pair[] => {
    const key = `${prefix}%5B${encodeForm(member, name)}%5D`;
    if (item === null || item === undefined) return [];
    if (isObject(item)) return deepPairs(key, item, name, encode);
    if (Array.isArray(item)) return itemTexts(item, name).map((text) => [key, encode(text, name)] as const);
    return [[key, encode(scalarText(item, name), name)]];
  });
}
