import { SEND_FETCH_MS, SEND_FILE_BYTES } from '@bailing/contract';
import type { ChannelFile } from '@bailing/plugin-api';
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

/** Everything a message carries, as bytes, before any of it is sent: what cannot be had stops the whole message, and nobody got a piece of it. */
export async function fetched({ files, images }: OutMessage, download: Download, signal: AbortSignal): Promise<Fetched> {
  try {
    const got: ChannelFile[] = [];
    for (const file of files) {
      got.push('url' in file ? await fetchOne(file.url, file.name, download, signal) : written(file.name, file.content));
    }
    const pictures: ChannelFile[] = [];
    for (const url of images) pictures.push(await fetchOne(url, nameOf(url), download, signal));
    return { ok: true, media: { files: got, images: pictures } };
  } catch (error) {
    const known = error instanceof BailingError;
    const why = known ? error.message : 'a file of the message could not be fetched.';
    return { ok: false, why, later: known && error.entry.retry !== 'never' };
  }
}

function written(name: string, content: string): ChannelFile {
  return { name, contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(content, 'utf8') };
}

async function fetchOne(url: string, name: string, download: Download, signal: AbortSignal): Promise<ChannelFile> {
  const { bytes, contentType } = await download(url, { maxBytes: SEND_FILE_BYTES, timeoutMs: SEND_FETCH_MS }, signal);
  return { name, contentType, bytes };
}

/** The last segment of an address, as a file name. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const plain = last.replace(/%[0-9a-f]{2}|[^\w.-]/gi, '_').slice(-120);
  return plain === '' ? 'image' : plain;
}
