import { HEADERS, signCall, stringToSign } from '@bailing/contract';

/** What somebody received, pasted as they have it: header lines in any letter case, request line, and the body if it is at hand. */
export interface ReceivedCall {
  readonly method: string;
  /** As it stood on the request line, with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SignaturePart {
  readonly part: 'timestamp' | 'method' | 'target' | 'body' | 'on_behalf_of' | 'job_id';
  readonly value: string;
}

/** Never holds the secret, and no signature that was not brought. */
export interface SignatureReport {
  readonly ok: boolean;
  readonly string_to_sign: string;
  readonly parts: readonly SignaturePart[];
  readonly findings: readonly { readonly says: string; readonly fix: string }[];
}

const WINDOW_S = 300;
const EMPTY_BODY = '';

/** Builds the string to sign of a received call, and says where the signature that came with it differs (WIRE §6.3). Pure. */
export function checkSignature(received: ReceivedCall, secret: string, basePath: string, nowMs: number): SignatureReport {
  const header = (name: string): string => received.headers[name.toLowerCase()]?.trim() ?? '';
  const call = {
    timestamp: header(HEADERS.timestamp),
    method: received.method,
    target: received.target,
    body: received.body,
    onBehalfOf: header(HEADERS.onBehalfOf),
    jobId: header(HEADERS.jobId),
  };
  const given = header(HEADERS.signature);
  const ok = signCall(secret, call) === given;
  const text = stringToSign(call);
  const findings = [...ofForm(call.timestamp, given, nowMs), ...(ok ? [] : guesses(call, given, secret, basePath))];
  return { ok: ok && findings.length === 0, string_to_sign: text, parts: partsOf(call, text), findings };
}

type Call = Parameters<typeof signCall>[1];
type Said = SignatureReport['findings'][number];

function partsOf(call: Call, text: string): readonly SignaturePart[] {
  const hash = /\.([0-9a-f]{64})\./.exec(text)?.[1] ?? '';
  return [
    { part: 'timestamp', value: call.timestamp },
    { part: 'method', value: call.method.toUpperCase() },
    { part: 'target', value: call.target },
    { part: 'body', value: `sha256 ${hash}` },
    { part: 'on_behalf_of', value: call.onBehalfOf },
    { part: 'job_id', value: call.jobId },
  ];
}

function ofForm(timestamp: string, given: string, nowMs: number): Said[] {
  const found: Said[] = [];
  if (given === '')
    found.push({ says: `There is no ${HEADERS.signature}.`, fix: 'Paste the headers as they came; a proxy may have dropped it.' });
  else if (!/^sha256=[0-9a-f]{64}$/.test(given))
    found.push({ says: 'The signature has not the form sha256= and 64 lower-case hex.', fix: 'Compare it as it came, in lower case.' });
  if (!/^[0-9]{1,15}$/.test(timestamp)) found.push({ says: 'The timestamp is not digits only.', fix: 'It is unix seconds, as they came.' });
  else if (timestamp.length >= 13)
    found.push({ says: 'The timestamp looks like milliseconds.', fix: 'Tool calls carry unix seconds; callbacks carry milliseconds.' });
  else if (Math.abs(nowMs / 1_000 - Number(timestamp)) >= WINDOW_S)
    found.push({
      says: `The timestamp is ${String(Math.round(nowMs / 1_000 - Number(timestamp)))} s old.`,
      fix: 'A verifier refuses 300 s and more; for an old paste that is no fault.',
    });
  return found;
}

/** Tries what usually goes wrong, one thing at a time, and says which one makes the signature right. */
function guesses(call: Call, given: string, secret: string, basePath: string): Said[] {
  const fits = (changed: Partial<Call>): boolean => signCall(secret, { ...call, ...changed }) === given;
  const body = typeof call.body === 'string' ? call.body : '';
  const found = TRIES.flatMap(({ changed, says, fix }) => (changed(call, body, basePath).some(fits) ? [{ says, fix }] : []));
  if (found.length > 0) return found;
  return [
    {
      says: 'The signature was made with other parts or another secret.',
      fix: 'Compare each part with what was sent (bailing explain shows it), then the secret of the provider on both sides: length, spaces and line ends.',
    },
  ];
}

interface Try {
  readonly changed: (call: Call, body: string, basePath: string) => readonly Partial<Call>[];
  readonly says: string;
  readonly fix: string;
}

const TRIES: readonly Try[] = [
  {
    changed: ({ target }, _body, base) => (base !== '' && target.startsWith(`${base}/`) ? [{ target: target.slice(base.length) }] : []),
    says: 'The target holds the path of the base URL, which is sent and not signed.',
    fix: 'Verify the target without the prefix of the base URL.',
  },
  {
    changed: ({ target }) => [
      { target: decoded(target) },
      { target: target.replaceAll('+', '%20') },
      { target: target.replaceAll('%20', '+') },
    ],
    says: 'The target was decoded or encoded again on the way.',
    fix: 'Verify the raw request target, never one that a framework put together again.',
  },
  {
    changed: ({ target }) => (target.includes('?') ? [{ target: target.split('?')[0] ?? '' }] : []),
    says: 'A query was added on the way.',
    fix: 'Verify what the hub sent; look at proxies that add parameters.',
  },
  {
    changed: (_call, body) => [{ body: `${body}\n` }, { body: body.trim() }, { body: body.replaceAll('\n', '\r\n') }],
    says: 'The body differs by white space at its ends or by line ends.',
    fix: 'Verify the raw bytes of the body, before anything reads it.',
  },
  {
    changed: (_call, body) => reencoded(body),
    says: 'The body was parsed and written again.',
    fix: 'Verify the raw bytes of the body, before anything reads it.',
  },
  {
    changed: () => [{ body: EMPTY_BODY }],
    says: 'The hub signed an empty body.',
    fix: 'A GET carries none: nothing on the way may add one.',
  },
  {
    changed: ({ onBehalfOf }) => [{ onBehalfOf: Buffer.from(onBehalfOf, 'latin1').toString('utf8') }, { onBehalfOf: '' }],
    says: 'The subject was read in another encoding, or put in on the way.',
    fix: 'Header bytes are UTF-8: read X-Bailing-On-Behalf-Of as such.',
  },
];

function reencoded(body: string): readonly Partial<Call>[] {
  try {
    return [{ body: JSON.stringify(JSON.parse(body)) }];
  } catch {
    return [];
  }
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
