import type { Context, OperationPlace } from '../context.js';
import { at } from '../pointer.js';
import { quote, type Notes } from '../notes.js';
import { isMembers, own, type Members } from '../values.js';

const PLACEHOLDER = /\{([^{}]*)\}/g;
/** What a request target may hold as written (RFC 3986), besides placeholders. */
const TARGET = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%?[\]]*$/;

/** The names in braces of a path template, query text included. */
export function placeholdersOf(path: string): ReadonlySet<string> {
  return new Set([...path.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''));
}

/** Refuses a template that could name another endpoint than it says, or that no request line can carry. */
export function checkPath(place: OperationPlace, notes: Notes): void {
  const { path, pointer } = place;
  const literal = path.replace(PLACEHOLDER, '');
  const refuse = (message: string, suggestion: string): void => notes.error('invalid_path', pointer, message, suggestion);
  if (!path.startsWith('/') || path.startsWith('//')) refuse('The path does not begin with one slash.', 'Begin the path with one slash.');
  else if (literal.includes('#')) refuse('The path holds a #, and what follows it is never sent.', 'Give the operation a path of its own.');
  else if (/[{}]/.test(literal) || placeholdersOf(path).has(''))
    refuse('The braces of the path do not pair up around names.', 'Write placeholders as {name}.');
  else if (/%(?![0-9A-Fa-f]{2})/.test(literal)) refuse('The path holds a % that encodes nothing.', 'Write the percent sign as %25.');
  else if (hasDotSegment(path))
    refuse('A segment of the path is "." or "..", which would name another endpoint.', 'Write the path it leads to.');
  // eslint-disable-next-line no-control-regex -- control characters are what a request line cannot carry
  else if (/[\u0000-\u0020"<>\\^`|\u007f]/.test(literal))
    refuse('The path holds a character that a request line cannot carry.', 'Percent-encode the character.');
  else if (!TARGET.test(literal))
    notes.info('path_not_ascii', pointer, 'The path holds characters outside ASCII; it is sent and signed percent-encoded.');
}

function hasDotSegment(path: string): boolean {
  const [plain = ''] = path.split('?', 1);
  return plain.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

/**
 * The path prefix of an operation's own server (operation, else path item). Hosts of a document are never followed, and the provider's
 * base URL stands for the document's own servers, their path included.
 */
export function serverPrefix(context: Context, place: OperationPlace, notes: Notes): string | undefined {
  const [servers, pointer] = nearestServers(place);
  if (servers === undefined) return undefined;
  const path = serverPath(servers[0], at(pointer, 0), notes);
  if (path === undefined || path === '') return undefined;
  const relative = underRoot(path, context.rootPath);
  if (relative === '') return undefined;
  const how =
    context.rootPath !== '' && relative === path
      ? 'is not below the path of the document’s own server; it'
      : 'of the operation’s own server';
  const add = context.rootPath !== '' && relative === path ? notes.warn.bind(notes) : notes.info.bind(notes);
  add(
    'server_prefix',
    at(pointer, 0),
    `The path ${quote(path)} ${how} is sent as ${quote(relative + place.path)} below the provider’s base URL.`,
  );
  return relative;
}

function nearestServers(place: OperationPlace): [readonly unknown[] | undefined, string] {
  const own_ = own(place.operation, 'servers');
  if (Array.isArray(own_) && own_.length > 0) return [own_, at(place.operationPointer, 'servers')];
  const shared = own(place.item, 'servers');
  if (Array.isArray(shared) && shared.length > 0) return [shared, place.itemPlace('servers')];
  return [undefined, ''];
}

function underRoot(path: string, root: string): string {
  if (root === '') return path;
  return path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length) : path;
}

/** The path of one server entry, without a trailing slash; undefined where it is refused. Notes a host that is not followed. */
export function serverPath(server: unknown, pointer: string, notes: Notes): string | undefined {
  const url = isMembers(server) ? own(server, 'url') : undefined;
  const refuse = (message: string, suggestion: string): undefined => void notes.error('invalid_server', pointer, message, suggestion);
  if (typeof url !== 'string' || !isMembers(server)) return refuse('The server has no url.', 'Write the url as a string.');
  const written = withVariables(url, own(server, 'variables'));
  if (written === undefined)
    return refuse('A variable of the server has no default.', 'Give every server variable a default; no caller can set it.');
  const match = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*))?([^?#]*)/i.exec(written.trim());
  const path = (match?.[2] ?? '').replace(/\/+$/, '');
  if (match?.[1] !== undefined)
    notes.info(
      'server_host_ignored',
      pointer,
      'The host of a server in the document is never followed; the provider’s base URL decides where calls go.',
    );
  if (path === '') return '';
  const rooted = path.startsWith('/') ? path : `/${path}`;
  if (!/^[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*$/.test(rooted) || hasDotSegment(rooted) || rooted.includes('//'))
    return refuse(`The path ${quote(rooted)} of the server cannot be sent safely.`, 'Write a plain path without dot segments.');
  return rooted;
}

function withVariables(url: string, variables: unknown): string | undefined {
  const known: Members = isMembers(variables) ? variables : {};
  let complete = true;
  const written = url.replace(PLACEHOLDER, (_all, name: string) => {
    const variable = own(known, name);
    const value = isMembers(variable) ? own(variable, 'default') : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    complete = false;
    return '';
  });
  return complete ? written : undefined;
}
