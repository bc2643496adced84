import type { ProviderRow, SpecProbe } from '@bailing/plugin-api';
import { observe, type Fetching, type Observation } from './observe.js';

/** What a document's URL showed, and its body where the policy allows it to replace the cache. */
export interface Probed {
  readonly probe: SpecProbe;
  readonly body?: Uint8Array;
}

const MAX_REASON = 300;
const CLOSED = new Set([401, 403, 404]);

/** Carries out the probe matrix of WIRE §4.3 for one URL. Evidence is what was observed, never what is expected. */
export function probeDocument(fetching: Fetching, url: URL, row: ProviderRow, signal: AbortSignal): Promise<Probed> {
  return row.spec_access_policy === 'signed_required'
    ? probeSigned(fetching, url, row.secret, signal)
    : probePublic(fetching, url, row.secret, signal);
}

async function probeSigned(fetching: Fetching, url: URL, secret: string, signal: AbortSignal): Promise<Probed> {
  const at = new Date(fetching.clock.now()).toISOString();
  const signed = await observe(fetching, url, secret, 'signed', signal);
  const seen = { ...(signed.status !== undefined && { signed_http: signed.status }) };
  if (!succeeded(signed)) return { probe: { status: 'inconclusive', ...seen, reason: reasonOf('The signed request', signed), at } };
  const [unsigned, invalid] = await Promise.all([
    observe(fetching, url, secret, 'unsigned', signal),
    observe(fetching, url, secret, 'invalid', signal),
  ]);
  const evidence = {
    ...seen,
    ...(unsigned.status !== undefined && { unsigned_http: unsigned.status }),
    ...(invalid.status !== undefined && { invalid_http: invalid.status }),
  };
  const readable = [unsigned, invalid].find((one) => isSuccess(one.status));
  if (readable) {
    const which = readable === unsigned ? 'without a signature' : 'with a wrong signature';
    return { probe: { status: 'public', ...evidence, reason: `The document can be read ${which}.`, at } };
  }
  const unclear = [unsigned, invalid].find((one) => one.status === undefined || !CLOSED.has(one.status));
  if (unclear) {
    const which = unclear === unsigned ? 'The unsigned request' : 'The request with a wrong signature';
    return { probe: { status: 'inconclusive', ...evidence, reason: reasonOf(which, unclear), at } };
  }
  return { probe: { status: 'protected', ...evidence, at }, body: signed.body };
}

/** Never signs, and never falls back to signing when the document turns out to be protected. */
async function probePublic(fetching: Fetching, url: URL, secret: string, signal: AbortSignal): Promise<Probed> {
  const at = new Date(fetching.clock.now()).toISOString();
  const unsigned = await observe(fetching, url, secret, 'unsigned', signal);
  const seen = { ...(unsigned.status !== undefined && { unsigned_http: unsigned.status }) };
  if (succeeded(unsigned)) return { probe: { status: 'public', ...seen, at }, body: unsigned.body };
  const status = isSuccess(unsigned.status) ? 'public' : 'inconclusive';
  return { probe: { status, ...seen, reason: reasonOf('The unsigned request', unsigned), at } };
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 299;
}

function succeeded(seen: Observation): seen is Observation & { readonly body: Uint8Array } {
  return isSuccess(seen.status) && seen.body !== undefined;
}

function reasonOf(what: string, seen: Observation): string {
  const says = seen.says ?? `It answered ${seen.status ?? 'nothing'}.`;
  return `${what} did not settle the question. ${says}`.slice(0, MAX_REASON);
}
