import { bodyBytes, headerBytes, strictUtf8 } from './bytes.js';
import { readObject } from './json.js';
import { failureReason, type SignedToolCall } from './tool-call.js';

export interface ProbeResponse {
  readonly status: 200 | 401;
  readonly body: { readonly authorized: boolean; readonly error?: string; readonly reason?: string };
}

/** The same authorize as the gate's; the probe asks for tool `__probe__.authz` without parameters. */
export type ProbeAuthorize = (subject: string, tool: string, params: Record<string, never>) => unknown;

function probeSubject(request: SignedToolCall): string {
  const stated = readObject(bodyBytes(request.body))?.['subject'];
  if (typeof stated === 'string') return stated;
  const bytes = headerBytes(request.onBehalfOf);
  return (bytes && strictUtf8(bytes)) ?? '';
}

const answer = (allowed: unknown): ProbeResponse => ({ status: 200, body: { authorized: allowed === true } });

/**
 * Answers the hub's authorization probe (SIGNING 34): 401 to a bad signature, else 200 `{authorized}`; an exception and any answer but
 * `true` is false. With an async authorize the answer is a promise.
 */
export function authzProbeResponse(
  secret: string,
  request: SignedToolCall,
  authorize: (subject: string, tool: string, params: Record<string, never>) => Promise<unknown>,
): Promise<ProbeResponse> | ProbeResponse;
export function authzProbeResponse(secret: string, request: SignedToolCall, authorize: (subject: string) => boolean): ProbeResponse;
export function authzProbeResponse(
  secret: string,
  request: SignedToolCall,
  authorize: ProbeAuthorize,
): ProbeResponse | Promise<ProbeResponse>;
export function authzProbeResponse(
  secret: string,
  request: SignedToolCall,
  authorize: ProbeAuthorize,
): ProbeResponse | Promise<ProbeResponse> {
  const reason = failureReason(secret, request);
  if (reason !== null) return { status: 401, body: { authorized: false, error: 'bad signature', reason } };
  try {
    const allowed = authorize(probeSubject(request), '__probe__.authz', {});
    return allowed instanceof Promise ? allowed.then(answer, () => answer(false)) : answer(allowed);
  } catch {
    return answer(false);
  }
}
