import type { HttpArg } from '@bailing/plugin-api';
import { encodeLiteral, encodeSegment, unsafe } from './encode.js';
import type { Placed } from './place.js';
import { contractText, isObject, itemTexts, jsonText, scalarText } from './values.js';

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Replaces placeholders of one part of a template; the text around them is encoded once. Every placeholder must find a non-empty value. */
export function substitute(template: string, part: 'path' | 'query', values: ReadonlyMap<string, string>): string {
  let out = '';
  let last = 0;
  for (const found of template.matchAll(PLACEHOLDER)) {
    const name = found[1] ?? '';
    const value = values.get(name);
    if (value === undefined || value === '') throw unsafe(`The path argument ${JSON.stringify(name)} is missing or empty.`);
    out += encodeLiteral(template.slice(last, found.index), part) + value;
    last = found.index + found[0].length;
  }
  return out + encodeLiteral(template.slice(last), part);
}

/** The encoded text of every path argument by its wire name. */
export function pathValues(placed: readonly Placed[]): Map<string, string> {
  return new Map(placed.map(({ arg, value }) => [arg.name, pathText(arg, value)]));
}

function pathText(arg: HttpArg, value: unknown): string {
  const name = arg.name;
  if (arg.json === true) return encodeSegment(jsonText(value), name);
  if (arg.style === undefined) return encodeSegment(contractText(value, name), name);
  if (arg.style === 'label') return nonEmpty(joined(value, name, arg.explode === true ? '.' : ',', arg.explode === true), name, '.');
  if (arg.style === 'matrix') return matrix(arg, value);
  return joined(value, name, ',', arg.explode === true);
}

/** OpenAPI's simple expansion: items or members joined, each encoded for itself. */
function joined(value: unknown, name: string, separator: string, explode: boolean): string {
  if (Array.isArray(value))
    return itemTexts(value, name)
      .map((item) => encodeSegment(item, name))
      .join(separator);
  if (!isObject(value)) return encodeSegment(scalarText(value, name), name);
  return Object.entries(value)
    .map(([key, item]) => `${encodeSegment(key, name)}${explode ? '=' : ','}${encodeSegment(scalarText(item, name), name)}`)
    .join(separator);
}

function matrix(arg: HttpArg, value: unknown): string {
  const name = encodeSegment(arg.name, arg.name);
  if (arg.explode === true && Array.isArray(value)) {
    const items = itemTexts(value, arg.name).map((item) => `;${name}=${encodeSegment(item, arg.name)}`);
    return items.join('');
  }
  if (arg.explode === true && isObject(value)) return nonEmpty(joined(value, arg.name, ';', true), arg.name, ';');
  return nonEmpty(joined(value, arg.name, ',', false), arg.name, `;${name}=`);
}

function nonEmpty(text: string, name: string, prefix: string): string {
  if (text === '') throw unsafe(`The path argument ${JSON.stringify(name)} is missing or empty.`);
  return prefix + text;
}

/** Refuses a path that a URL parser on the way would collapse or read as another host. */
export function checkPath(path: string): void {
  if (!path.startsWith('/') || path.startsWith('//')) throw unsafe('The path must begin with one slash.');
  for (const segment of path.split('/')) {
    const plain = segment.replace(/%2e/gi, '.');
    if (plain === '.' || plain === '..') throw unsafe('A path segment is "." or "..", which would name another endpoint.');
  }
}
