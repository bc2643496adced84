import type { InputHandler, InputMedium, InputReading, InputRequest, Material } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import type { Turn } from './ahead.js';
import { endingOf, type Link } from './links.js';
import { sniff } from './sniff.js';
import type { InputContext } from './words.js';

/** WIRE §12: one download, and one reading, may take this long. */
export const STEP_MS = 60_000;
/** A place that sends nothing for so long is given up. */
const SILENT_MS = 15_000;

/** What a link came to: its bytes and who reads them, or why it is not read. */
export type Fetched =
  | { readonly is: 'material'; readonly material: Material; readonly handler: InputHandler }
  | { readonly is: 'unread'; readonly says: string; readonly error: string; readonly bytes?: number; readonly mediaType?: string };

/** Fetches one link and finds its reader. A failure is an outcome. @throws what stopped the job, where the job was stopped */
export async function fetchMaterial(
  link: Link,
  index: number,
  want: { readonly medium: InputMedium; readonly maxBytes: number },
  { deps, signal, until, fetching }: InputContext,
  turn: Turn,
): Promise<Fetched> {
  signal.throwIfAborted();
  const timeoutMs = Math.min(STEP_MS, fetching.left(want.medium));
  if (deps.clock.now() > until || timeoutMs <= 0) return { is: 'unread', says: 'the time for reading was used up', error: 'time' };
  let bytes: Uint8Array;
  try {
    const limits = {
      maxBytes: want.maxBytes,
      timeoutMs,
      silentMs: SILENT_MS,
      room: (more: number) => fetching.pausing(() => turn.room(more)),
    };
    ({ bytes } = await fetching.during(() => deps.downloads.get(link.url, limits, signal)));
  } catch (error) {
    signal.throwIfAborted();
    return { is: 'unread', says: `it could not be fetched (${reasonOf(error)})`, error: codeOf(error) };
  }
  const mediaType = sniff(bytes, `${link.name}${endingOf(link)}`);
  const handler = deps.readers.of(want.medium, mediaType);
  if (bytes.length > 0 && handler) return { is: 'material', material: { index, name: link.name, mediaType, bytes }, handler };
  const [says, error] = bytes.length === 0 ? ['it is empty', 'empty'] : [`${kindWords(mediaType)} are not read here`, 'unsupported'];
  return { is: 'unread', says, error, bytes: bytes.length, mediaType };
}

/** Lets a handler read, within its time. A handler that throws or takes too long has failed on this one thing. */
export async function readMaterial(handler: InputHandler, request: InputRequest, { deps, signal }: InputContext): Promise<InputReading> {
  const late = AbortSignal.timeout(STEP_MS);
  const either = AbortSignal.any([signal, late]);
  try {
    return await Promise.race([handler.read(request, either), rejection(either)]);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { is: 'failed', says: `reading it took longer than ${String(STEP_MS / 1_000)} seconds.` };
    // Model failures are written for people; anything else may quote what it read.
    if (error instanceof BailingError || (error instanceof Error && error.name === 'ModelFailure'))
      return { is: 'failed', says: error.message };
    deps.log.warn('an input handler failed', { medium: handler.medium, error: error instanceof Error ? error.name : 'unknown' });
    return { is: 'failed', says: 'its reader failed.' };
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}

function reasonOf(error: unknown): string {
  return error instanceof BailingError ? error.message : 'the request failed';
}

function codeOf(error: unknown): string {
  return error instanceof BailingError ? error.code : 'BAILING_OUTBOUND_FAILED';
}

const KINDS: Readonly<Record<string, string>> = {
  'application/zip': 'archives',
  'application/vnd.rar': 'archives',
  'application/x-7z-compressed': 'archives',
  'application/gzip': 'archives',
  'application/x-ole-storage': 'encrypted or pre-2007 Office files',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel workbooks',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint files',
  'application/octet-stream': 'files of an unknown kind',
};

function kindWords(mediaType: string): string {
  return KINDS[mediaType] ?? `files of type ${mediaType}`;
}
