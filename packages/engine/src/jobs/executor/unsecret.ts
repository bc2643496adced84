import { toolToken } from '@bailing/contract';
import type { ResultReport } from './result.js';

/** Says a text without the secrets of the configuration. */
export type Blank = (text: string) => string;

/** Credentials of a header, whosever they are. Only in errors: a text for people may speak of bearers. */
const HEADER = /\b(Bearer|Basic)\s+[^\s"',;]{12,}/gi;

/**
 * A report without secrets: executors quote the header that was refused, and what they report goes to the client, the ledger, traces, callbacks and
 * alerts. The tokens of the job itself are no part of the configuration.
 */
export function withoutSecrets(
  body: ResultReport,
  held: { readonly claim: string; readonly serverToken: string },
  blank: Blank,
): ResultReport {
  const own = [held.claim, toolToken(held.serverToken, body.job_id, held.claim)];
  const text: Blank = (said) => blank(own.reduce((left, token) => left.replaceAll(token, '[secret]'), said));
  return {
    ...body,
    output: walked(body.output, text),
    ...(body.usage !== undefined && { usage: walked(body.usage, text) }),
    ...(body.error !== undefined && { error: text(body.error).replace(HEADER, '$1 [secret]') }),
  };
}

/** Names of members as well as texts. */
function walked(value: unknown, text: Blank): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => walked(item, text));
  if (value === null || typeof value !== 'object') return value;
  // fromEntries defines its members: one named __proto__ stays data.
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [text(name), walked(child, text)]));
}
