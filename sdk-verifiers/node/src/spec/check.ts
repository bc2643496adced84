import { readRate } from './rate.js';
import { placeholders } from './tool.js';
import { SpecError, type SpecErrorCode, type Tool } from './types.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const PATH = /^\/(?:(?![?#])[!-~])*$/;
const RESERVED = ['send_message', 'find_tools', 'search_tools', 'see_image'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const PLACES = ['query', 'path', 'header', 'body'];
const OWN_HEADER = /^(?:x-bailing-.*|host|content-length|content-type|authorization)$/i;

const blank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

function badParam(tool: Tool): boolean {
  return tool.params.some(
    ({ name, type = 'string', in: place }) =>
      blank(name) ||
      !TYPES.includes(type) ||
      !PLACES.includes(place) ||
      (place === 'body' && tool.method === 'GET') ||
      (place === 'header' && OWN_HEADER.test(name)),
  );
}

function repeatsParam(tool: Tool): boolean {
  return new Set(tool.params.map(({ name }) => name)).size < tool.params.length;
}

function pathMismatch(tool: Tool): boolean {
  const inPath = [...new Set(placeholders(tool.path))].sort().join();
  const declared = tool.params.filter((given) => given.in === 'path').map((given) => given.name);
  return inPath !== declared.sort().join();
}

function badTimeout(ms: unknown): boolean {
  return ms !== undefined && ms !== null && (!Number.isSafeInteger(ms) || Number(ms) < 0 || Number(ms) > 600_000);
}

type Rule = readonly [SpecErrorCode, (tool: Tool) => boolean, string];

const RULES: readonly Rule[] = [
  ['invalid_name', (tool) => !NAME.test(tool.name), 'a name is 1 to 64 letters, digits and underscores and does not start with a digit.'],
  ['reserved_name', (tool) => RESERVED.includes(tool.name), 'the hub has a tool of its own with this name. Choose another.'],
  ['invalid_method', (tool) => !METHODS.includes(tool.method), 'the method is one of GET, POST, PUT, PATCH, DELETE.'],
  ['invalid_path', (tool) => !PATH.test(tool.path), 'the path starts with / and is printable ASCII without space, ? and #.'],
  ['missing_scope', (tool) => blank(tool.scope), 'a scope is needed, such as order.refund.'],
  ['missing_description', (tool) => blank(tool.description), 'a description is needed: it is all the model knows of the tool.'],
  ['invalid_risk', (tool) => !!tool.risk && !['low', 'medium', 'high'].includes(tool.risk), 'risk is low, medium or high.'],
  [
    'invalid_rate_limit',
    (tool) => !!tool.rateLimit && readRate(tool.rateLimit) === null,
    'a rate limit is like 30/min, 600/hour, 10/s, 1000/day.',
  ],
  ['invalid_timeout', (tool) => badTimeout(tool.timeoutMs), 'a timeout is whole milliseconds, at most 600000.'],
  ['invalid_param', badParam, 'a parameter has no name, an unknown type or place, is a body of a GET, or a header of the hub.'],
  ['duplicate_param', repeatsParam, 'a parameter is declared twice.'],
  ['path_param_mismatch', pathMismatch, 'every {name} of the path needs its path parameter, and the other way round.'],
];

/** @throws {SpecError} the first rule that a tool breaks, tool by tool; then names and operations that occur twice. */
export function checkTools(tools: readonly Tool[]): void {
  const names = new Set<string>();
  const operations = new Set<string>();
  for (const tool of tools) {
    for (const [code, broken, says] of RULES) if (broken(tool)) throw new SpecError(code, tool.name, says);
    if (names.has(tool.name)) throw new SpecError('duplicate_name', tool.name, 'another tool has this name.');
    const operation = `${tool.method} ${tool.path}`;
    if (operations.has(operation)) throw new SpecError('duplicate_operation', tool.name, `another tool serves ${operation}.`);
    names.add(tool.name);
    operations.add(operation);
  }
}
