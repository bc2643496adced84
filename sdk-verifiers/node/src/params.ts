import { strictUtf8 } from './bytes.js';
import { readObject } from './json.js';

export type Params = Record<string, unknown>;

const BROKEN_PERCENT = /%(?![0-9A-Fa-f]{2})/;
const PLUS = 0x2b;

/** Form decoding of one name or value: `+` is a space, `%XX` a byte, the whole strict UTF-8; `null` when it is not. */
function formText(part: Buffer): string | null {
  const spaced = Buffer.from(part.map((byte) => (byte === PLUS ? 0x20 : byte))).toString('latin1');
  if (BROKEN_PERCENT.test(spaced)) return null;
  const bytes = spaced.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return strictUtf8(Buffer.from(bytes, 'latin1'));
}

/** Adds one parameter; false when the name is there already (two places, two values: whose would the handler take?). */
function put(params: Params, name: string, value: unknown): boolean {
  if (name in params) return false;
  params[name] = value;
  return true;
}

function putQuery(params: Params, query: Buffer): boolean {
  for (const pair of query.toString('latin1').split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = formText(Buffer.from(at < 0 ? pair : pair.slice(0, at), 'latin1'));
    const value = formText(Buffer.from(at < 0 ? '' : pair.slice(at + 1), 'latin1'));
    if (name === null || value === null || !put(params, name, value)) return false;
  }
  return true;
}

function putAll(params: Params, source: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(source).every((name) => put(params, name, source[name]));
}

/**
 * What the handler will act on (SIGNING 31): query, path parameters, and the JSON body of other methods than GET and HEAD. `null` when it
 * cannot be read without doubt. The result has no prototype, so that no name is special.
 */
export function readParams(method: string, query: Buffer, body: Buffer, pathParams: Readonly<Record<string, string>> = {}): Params | null {
  const params = Object.create(null) as Params;
  if (!putQuery(params, query.subarray(1)) || !putAll(params, pathParams)) return null;
  if (method === 'GET' || method === 'HEAD' || body.length === 0) return params;
  const object = readObject(body);
  return object !== null && putAll(params, object) ? params : null;
}
