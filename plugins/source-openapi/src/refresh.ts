import { bundle, externalDocuments } from '@bailing/openapi';
import type { ProviderRow, SourceRefresh, SpecProbe } from '@bailing/plugin-api';
import { checkDocument } from './check.js';
import type { Fetching } from './observe.js';
import { probeDocument } from './probe.js';

export type { Fetching } from './observe.js';

/** Other documents that one document may take along, and their bytes together. */
const MAX_EXTERNAL = 16;
const MAX_TOTAL_BYTES = 20_971_520;

/**
 * Reads the document of a provider by its URL (WIRE §4.2, §4.3): probes it by the provider's policy, then the documents of the same origin it
 * refers to, each by the same policy, and joins them. Whatever goes wrong is an outcome; no sentence repeats the URL.
 */
export async function refreshByUrl(row: ProviderRow, fetching: Fetching, signal: AbortSignal): Promise<SourceRefresh> {
  const url = readUrl(row.spec_url);
  if (!url) return failed('BAILING_SPEC_UNREADABLE', 'The spec_url of the provider is not an http or https URL without credentials.');
  const { probe, body } = await probeDocument(fetching, url, row, signal);
  if (!body) return refused(row, probe);
  const text = decode(body);
  if (text === undefined) return failed('BAILING_SPEC_UNREADABLE', 'The document is not UTF-8 text.', probe);
  const gathered = await gather(row, fetching, url, text, body.byteLength, signal);
  if (!(gathered instanceof Map)) return { ...gathered, probe: gathered.probe ?? probe };
  const joined = bundle(text, url.href, gathered);
  if (!joined.ok)
    return failed(
      'BAILING_SPEC_UNREADABLE',
      joined.url === url.href ? joined.says : `A document it refers to cannot be read. ${joined.says}`,
      probe,
    );
  return checkDocument(joined.text, probe);
}

type Failure = Extract<SourceRefresh, { is: 'failed' }>;

function failed(code: string, says: string, probe?: SpecProbe): Failure {
  return { is: 'failed', code, says, ...(probe && { probe }) };
}

/** The document may not replace the cache: say what was expected and what was seen. */
function refused(row: ProviderRow, probe: SpecProbe): Failure {
  const expected = row.spec_access_policy === 'signed_required' ? 'readable with a signature only' : 'readable without a signature';
  const answered = probe.unsigned_http !== undefined || probe.invalid_http !== undefined;
  const code = row.spec_access_policy === 'signed_required' && answered ? 'BAILING_SPEC_ACCESS' : 'BAILING_SPEC_UNREADABLE';
  return failed(code, `The document should be ${expected}. ${probe.reason ?? ''}`.trim(), probe);
}

/** http and https only, and no credentials in the URL: they would end up in logs and proxies. */
function readUrl(spec: string | undefined): URL | undefined {
  if (spec === undefined || !URL.canParse(spec)) return undefined;
  const url = new URL(spec);
  url.hash = '';
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Fetches the documents of the same origin that are referred to, one after another. Other origins are left to the compiler, which refuses what needs them. */
async function gather(
  row: ProviderRow,
  fetching: Fetching,
  root: URL,
  text: string,
  rootBytes: number,
  signal: AbortSignal,
): Promise<Map<string, string> | Failure> {
  const texts = new Map<string, string>();
  const queue = [...sameOrigin(externalDocuments(text, root.href), root)];
  let bytes = rootBytes;
  for (let href = queue.shift(); href !== undefined; href = queue.shift()) {
    if (texts.has(href) || href === root.href) continue;
    if (texts.size >= MAX_EXTERNAL)
      return failed('BAILING_SPEC_UNREADABLE', `The document refers to more than ${MAX_EXTERNAL} other documents.`);
    const { probe, body } = await probeDocument(fetching, new URL(href), row, signal);
    if (!body) return refused(row, { ...probe, reason: `In a document it refers to: ${probe.reason ?? ''}`.slice(0, 300) });
    bytes += body.byteLength;
    if (bytes > MAX_TOTAL_BYTES)
      return failed('BAILING_SPEC_UNREADABLE', `The document and what it refers to are larger than ${MAX_TOTAL_BYTES} bytes.`);
    const other = decode(body);
    if (other === undefined) return failed('BAILING_SPEC_UNREADABLE', 'A document it refers to is not UTF-8 text.');
    texts.set(href, other);
    queue.push(...sameOrigin(externalDocuments(other, href), root));
  }
  return texts;
}

function sameOrigin(urls: ReadonlySet<string>, root: URL): string[] {
  return [...urls].filter((href) => new URL(href).origin === root.origin);
}
