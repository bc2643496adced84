import fs from 'node:fs';
import { bundle, externalDocuments } from '@bailing/openapi';
import { createHostRules, createHttp } from '@bailing/outbound';
import { BailingError, type Http } from '@bailing/plugin-api';

export type DocumentReading = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly says: string };

/** Other documents of the same origin that one document may take along; a hub has the same bound. */
const MAX_EXTERNAL = 16;

/** A document from a file, or from an address with what it refers to on the same origin. Never throws. */
export async function readDocument(place: string): Promise<DocumentReading> {
  if (/^https?:\/\//i.test(place)) return readByUrl(place);
  try {
    return decoded(fs.readFileSync(place), place);
  } catch {
    return { ok: false, says: `The file ${place} cannot be read.` };
  }
}

async function readByUrl(place: string): Promise<DocumentReading> {
  const url = URL.canParse(place) ? new URL(place) : null;
  if (!url || url.username !== '' || url.password !== '')
    return { ok: false, says: 'This is no http or https address without credentials.' };
  url.hash = '';
  // Whoever types an address may reach it, private or not; what the document names has to be of the same origin.
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const http = createHttp({ hosts: createHostRules({ allowPrivateHosts: [`${url.hostname}:${port}`] }) });
  try {
    return await fetched(url, http);
  } catch (error) {
    if (error instanceof BailingError) return { ok: false, says: `The address cannot be read: ${error.message}` };
    throw error;
  } finally {
    await http.close();
  }
}

async function fetched(root: URL, http: Http): Promise<DocumentReading> {
  const first = await one(root.href, http);
  if (!first.ok) return first;
  const texts = new Map<string, string>();
  const queue = sameOrigin(first.text, root, root.href);
  for (let href = queue.shift(); href !== undefined && texts.size < MAX_EXTERNAL; href = queue.shift()) {
    if (texts.has(href) || href === root.href) continue;
    const other = await one(href, http);
    if (!other.ok) return other;
    texts.set(href, other.text);
    queue.push(...sameOrigin(other.text, root, href));
  }
  const joined = bundle(first.text, root.href, texts);
  // What cannot be joined is told by the compiler, with its place.
  return { ok: true, text: joined.ok ? joined.text : first.text };
}

async function one(href: string, http: Http): Promise<DocumentReading> {
  const { status, body } = await http.request({ url: href });
  if (status < 200 || status > 299) return { ok: false, says: `${href} answered ${String(status)}.` };
  return decoded(body, href);
}

function decoded(bytes: Uint8Array, place: string): DocumentReading {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, says: `${place} is not UTF-8 text.` };
  }
}

function sameOrigin(text: string, root: URL, base: string): string[] {
  return [...externalDocuments(text, base)].filter((href) => new URL(href).origin === root.origin);
}
