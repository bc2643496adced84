import { HEADERS, isReservedHeader } from '@bailing/contract';
import { BailingError, type CallContext } from '@bailing/plugin-api';
import { unsafe } from './encode.js';
import type { Placed } from './place.js';
import { asciiJson, isObject, itemTexts, scalarText } from './values.js';

export type Header = readonly [name: string, value: string];

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Printable ASCII and Latin-1; never a control character. */
const VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Besides the contract's list: what the hub decides itself, and names by which servers move a request to another method or path. */
const OURS = new Set([
  ...['accept-encoding', 'x-http-method', 'x-http-method-override', 'x-method-override'],
  ...['x-original-url', 'x-original-uri', 'x-rewrite-url', 'x-real-ip', 'content-location', 'location'],
]);

/** True where a header parameter may not carry this name. `_` and other marks count as `-`, as CGI-like servers read them. */
export function isForbiddenHeader(name: string): boolean {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/g, '-');
  return isReservedHeader(folded) || folded.startsWith('content-') || OURS.has(folded);
}

/** Header parameters in their order. @throws BAILING_TARGET_UNSAFE for a forbidden name or a value that a header cannot carry */
export function parameterHeaders(placed: readonly Placed[]): readonly Header[] {
  return placed.map(({ arg, value }) => {
    if (!NAME.test(arg.name) || isForbiddenHeader(arg.name)) throw unsafe(`The header ${JSON.stringify(arg.name)} belongs to the hub.`);
    const text = headerText(arg, value);
    if (!VALUE.test(text) || text.trim() !== text) {
      throw unsafe(`The argument ${JSON.stringify(arg.name)} holds characters that a header cannot carry.`);
    }
    return [arg.name, text] as const;
  });
}

function headerText(arg: Placed['arg'], value: unknown): string {
  if (arg.json === true) return asciiJson(value);
  if (Array.isArray(value)) return itemTexts(value, arg.name).join(',');
  if (!isObject(value)) return scalarText(value, arg.name);
  if (arg.style === undefined) return scalarText(value, arg.name);
  return Object.entries(value)
    .map(([key, item]) => `${key}${arg.explode === true ? '=' : ','}${scalarText(item, arg.name)}`)
    .join(',');
}

/** The hub's own headers that are known before the ticket (WIRE §6.2). An empty subject has no header. */
export function hubHeaders(context: CallContext): readonly Header[] {
  const headers: Header[] = [
    [HEADERS.jobId, context.job],
    [HEADERS.client, context.client],
    [HEADERS.toolScope, context.scope],
  ];
  if (context.subject !== '') headers.splice(2, 0, [HEADERS.onBehalfOf, context.subject]);
  for (const [name, value] of headers) checkHubValue(name, value);
  return headers;
}

function checkHubValue(name: string, value: string): void {
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if (!/[\u0000-\u001f\u007f]/.test(value) && value.trim() === value && value.isWellFormed()) return;
  throw new BailingError('BAILING_SUBJECT_MISSING', { detail: `The value of ${name} cannot be sent in a header.` });
}

/** Text to the one-byte-per-character form that Node writes: the bytes on the wire are the UTF-8 that was signed. */
export function utf8Header(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}
