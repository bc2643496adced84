import { isReservedHeader } from '@bailing/contract';

/** OpenAPI says that header parameters of these names are ignored; the hub decides them itself. */
const IGNORED = new Set(['accept', 'content-type', 'authorization']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Besides the contract's list: what the hub decides itself, and names by which servers move a request to another method, path or host. */
const MOVING = new Set([
  ...['traceparent', 'tracestate'],
  ...['accept-encoding', 'x-http-method', 'x-http-method-override', 'x-method-override', 'x-original-url', 'x-original-uri'],
  ...['x-rewrite-url', 'x-real-ip', 'location'],
]);

export type HeaderFate = 'argument' | 'ignored' | 'refused';

/** What becomes of a header parameter. `_` and other marks count as `-`, as CGI-like servers read them (TRAPS 8). */
export function headerFate(name: string): HeaderFate {
  if (IGNORED.has(name.toLowerCase())) return 'ignored';
  const folded = name.toLowerCase().replace(/[^a-z0-9]/g, '-');
  const refused = !TOKEN.test(name) || isReservedHeader(folded) || folded.startsWith('content-') || MOVING.has(folded);
  return refused ? 'refused' : 'argument';
}
