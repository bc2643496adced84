import { SEND_FETCH_MS, SEND_FILE_BYTES } from '@bailing/contract';
import type { ChannelFile, Ms } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import type { OutMessage } from './message.js';

/** Fetches one address whole. @throws BailingError BAILING_OUTBOUND_* */
export type Download = (
  url: string,
  limits: { readonly maxBytes: number; readonly timeoutMs: number },
  signal: AbortSignal,
) => Promise<{ readonly bytes: Uint8Array; readonly contentType: string }>;

interface Media {
  readonly images: readonly ChannelFile[];
  readonly files: readonly ChannelFile[];
}

export type Fetched = { readonly ok: true; readonly media: Media } | { readonly ok: false; readonly why: string; readonly later: boolean };

/** The time that fetching gets beside the time of sending: none where there is nothing to fetch. All addresses of a message share it (WIRE §13.1). */
export function fetchMs({ files, images }: OutMessage): Ms {
  return images.length > 0 || files.some((file) => 'url' in file) ? SEND_FETCH_MS : 0;
}

/**
 * Everything a message carries, as bytes, before any of it is sent: what cannot be had stops the whole message, and nobody got a piece of it. Ends in
 * time whatever the other side does: whoever answers at such an address is a stranger, and must not turn "not sent" into "nobody knows".
 */
export async function fetched(message: OutMessage, download: Download, withinMs: Ms, signal: AbortSignal): Promise<Fetched> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Fetched>((resolve) => {
    timer = setTimeout(() => {
      resolve({ ok: false, why: 'the files of the message did not come in time.', later: true });
      over.abort();
    }, withinMs);
  });
  try {
    return await Promise.race([fetchAll(message, download, AbortSignal.any([signal, over.signal])), late]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** Bytes of everything a delivered answer links to. */
const LINKED_BYTES = SEND_FILE_BYTES;

/**
 * What an answer links to, as far as it can be had: one after the other, within one budget of bytes and of time. What cannot stays the link that it is.
 */
export async function fetchedLinks({ images, files }: OutMessage, download: Download, withinMs: Ms, signal: AbortSignal): Promise<Media> {
  const media = { images: [] as ChannelFile[], files: [] as ChannelFile[] };
  const wanted = [
    ...images.map((url) => ({ url, name: nameOf(url), into: media.images })),
    ...files.flatMap((file) => ('url' in file ? [{ ...file, into: media.files }] : [])),
  ];
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolve(null);
      over.abort();
    }, withinMs);
  });
  let left = LINKED_BYTES;
  const both = AbortSignal.any([signal, over.signal]);
  for (const { url, name, into } of wanted) {
    if (both.aborted || left <= 0) break;
    const got = await Promise.race([fetchOne(url, name, download, both, left).catch(() => null), late]);
    if (!got) continue;
    into.push(got);
    left -= got.bytes.byteLength;
  }
  clearTimeout(timer);
  over.abort();
  return media;
}

async function fetchAll({ files, images }: OutMessage, download: Download, signal: AbortSignal): Promise<Fetched> {
  try {
    const [got, pictures] = await Promise.all([
      Promise.all(files.map(async (file) => ('url' in file ? fetchOne(file.url, file.name, download, signal) : written(file)))),
      Promise.all(images.map((url) => fetchOne(url, nameOf(url), download, signal))),
    ]);
    return { ok: true, media: { files: got, images: pictures } };
  } catch (error) {
    const known = error instanceof BailingError;
    const why = known ? error.message : 'a file of the message could not be fetched.';
    return { ok: false, why, later: known && error.entry.retry !== 'never' };
  }
}

function written({ name, content }: { readonly name: string; readonly content: string }): ChannelFile {
  return { name, contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(content, 'utf8') };
}

async function fetchOne(
  url: string,
  name: string,
  download: Download,
  signal: AbortSignal,
  maxBytes = SEND_FILE_BYTES,
): Promise<ChannelFile> {
  const { bytes, contentType } = await download(url, { maxBytes, timeoutMs: SEND_FETCH_MS }, signal);
  return { name, contentType, bytes };
}

/** The last segment of an address, as a file name. */
export function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const plain = last.replace(/%[0-9a-f]{2}|[^\w.-]/gi, '_').slice(-120);
  return plain === '' ? 'image' : plain;
}
