import { BailingError } from '@bailing/plugin-api';

/** Node and undici codes in words. Only codes are told, never a message that could hold an address with its query. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while writing',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved now',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_SOCKET: 'the connection was closed before a whole answer came',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is shorter than its content-length',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_DESTROYED: 'the connection pool is closed',
  UND_ERR_CLOSED: 'the connection pool is closed',
};

/** Codes of a connection that did not come about. A timeout is none of them: it may come after the first byte. */
const UNCONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether an error says that nothing can have been sent. */
export function neverConnected(error: unknown): boolean {
  return UNCONNECTED.has(codeOf(error) ?? '');
}

/** A short reason for an outcome, with the code where there is one. */
export function reasonOf(error: unknown): string {
  if (error instanceof BailingError) return [error.entry.says, error.detail].filter(Boolean).join(' ');
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not HTTP';
  const code = codeOf(error);
  if (code === undefined) return 'the request failed';
  return `${WORDS[code] ?? 'the request failed'} (${code})`;
}

/** The first code found on an error, its cause or its parts (net.connect gathers several tries in an AggregateError). */
export function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  const inner = codeOf(cause, depth + 1);
  if (inner !== undefined || !Array.isArray(errors)) return inner;
  return codeOf(errors[0], depth + 1);
}
