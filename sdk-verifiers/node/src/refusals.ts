import type { FailureReason } from './reasons.js';

/** Every word a gate may refuse with. */
export type GateError =
  FailureReason | 'replayed' | 'replay_guard_failed' | 'authorize_missing' | 'authorize_failed' | 'not_authorized' | 'bad_parameters';

export type GateCode = 401 | 403;

/** Word, status and sentence of every refusal: what happened, and what to do. No secret and no signature ever appears here. */
export const REFUSALS: Readonly<Record<GateError, { readonly code: GateCode; readonly message: string }>> = {
  timestamp_out_of_window: {
    code: 401,
    message:
      'The timestamp is missing, malformed or too far from this clock. Check that both machines keep time, in seconds for tool calls.',
  },
  bad_signature: {
    code: 401,
    message:
      'The signature does not fit these bytes. Check the secret, that raw body and raw target reach the verifier, and the signed path.',
  },
  replayed: { code: 401, message: 'This signed call was accepted before. A repeat must be signed anew by the hub.' },
  replay_guard_failed: { code: 403, message: 'The replay guard could not be asked, so the call was refused. Check its store.' },
  authorize_missing: { code: 403, message: 'No authorize function is set, so nobody may do anything. Hand one to the gate.' },
  authorize_failed: {
    code: 403,
    message: 'The authorization check failed, so the call was refused. See the log of the authorize function.',
  },
  not_authorized: { code: 403, message: 'The acting user may not do this. Grant the permission in the business system if that is wrong.' },
  bad_parameters: {
    code: 403,
    message: 'The parameters cannot be read without doubt: send a JSON object and a form-encoded query, each name once.',
  },
};
