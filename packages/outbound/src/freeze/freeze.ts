import { createHash } from 'node:crypto';
import type { CallContext, FrozenCall, HttpBinding, ToolDefinition } from '@bailing/plugin-api';
import { buildBody } from './body.js';
import { unsafe } from './encode.js';
import { hubHeaders, parameterHeaders, type Header } from './headers.js';
import { checkPath, pathValues, substitute } from './path.js';
import { placeArguments, type Placed, type Places } from './place.js';
import { buildQuery, pairsOf } from './query.js';

/** Longest request target; longer ones are refused by common servers with 414. */
const TARGET_MAX = 16_384;

/** Decides the bytes of one call (WIRE §6.1, §6.2). Pure. @throws BailingError BAILING_TARGET_UNSAFE, BAILING_ARGS_INVALID */
export function freezeCall(
  tool: ToolDefinition<HttpBinding>,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
  timeoutMs: number,
): FrozenCall {
  const binding = tool.binding;
  const method = binding.method.toUpperCase();
  const places = placeArguments(binding, args);
  const target = buildTarget(binding, places);
  const body = buildBody(binding, places);
  const headers: Header[] = [];
  if (body.contentType !== undefined) headers.push(['Content-Type', body.contentType]);
  headers.push(...hubHeaders(context), ...parameterHeaders(places.header));
  return Object.freeze({
    method,
    target,
    headers: Object.freeze(headers.map((header) => Object.freeze(header))),
    body: body.bytes,
    digest: digestOf(method, target, headers, body.bytes),
    timeoutMs,
  });
}

function buildTarget(binding: HttpBinding, places: Places): string {
  if (binding.path.includes('#')) throw unsafe('The path of the document holds a fragment, which is never sent.');
  const cut = binding.path.indexOf('?');
  const pathTemplate = cut < 0 ? binding.path : binding.path.slice(0, cut);
  const queryTemplate = cut < 0 ? '' : binding.path.slice(cut + 1);
  const values = pathValues(places.path);
  const path = substitute(pathTemplate, 'path', values);
  checkPath(path);
  const query = templatedQuery(queryTemplate, values, places.query, binding);
  const target = query === '' ? path : `${path}?${query}`;
  if (target.length > TARGET_MAX) throw unsafe(`The target is longer than ${TARGET_MAX} characters.`);
  return target;
}

/** A query placeholder of the template may be filled by a path or a query argument; the other query arguments follow. */
function templatedQuery(template: string, pathTexts: ReadonlyMap<string, string>, placed: readonly Placed[], binding: HttpBinding): string {
  const values = new Map(pathTexts);
  const rest = placed.filter((one) => {
    if (!template.includes(`{${one.arg.name}}`)) return true;
    const [pair, more] = pairsOf(one);
    if (!pair || more) throw unsafe(`The argument ${JSON.stringify(one.arg.name)} must be one plain value here.`);
    values.set(one.arg.name, pair[1]);
    return false;
  });
  const names = Object.values(binding.args).flatMap((arg) => (arg.in === 'query' ? [arg.name] : []));
  return buildQuery(substitute(template, 'query', values), rest, new Set(names));
}

/** Lower-case hex SHA-256 over method, target, headers and body, framed so that no two calls share a form. */
function digestOf(method: string, target: string, headers: readonly Header[], body: Uint8Array): string {
  return createHash('sha256')
    .update(`${JSON.stringify([method, target, headers])}\n`)
    .update(body)
    .digest('hex');
}
