import type { Http, InputModel, Material } from '@bailing/plugin-api';
import { BailingError, ModelFailure } from '@bailing/plugin-api';

/** An answer is a text; more than this of it is none. */
const MOST_BYTES = 1_048_576;
const SAID_CHARS = 300;

/** File names by container: endpoints tell the format from the ending as often as from the type. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'audio/aac': 'aac',
  'audio/webm': 'webm',
  'audio/amr': 'amr',
};

/**
 * One recording as multipart to `<base_url>/audio/transcriptions` (WIRE §12): `model` and `file`, named and typed by its container; the boundary is the
 * library's. An answer is JSON with `text`, or the text itself. Throws `ModelFailure`, without the key.
 */
export async function transcription(material: Material, model: InputModel, http: Http, signal: AbortSignal): Promise<string> {
  const { FormData, File } = await import('formdata-node');
  const { credential } = model;
  const form = new FormData();
  form.set('model', model.name);
  form.set('file', new File([material.bytes], `recording.${ENDINGS[material.mediaType] ?? 'bin'}`, { type: material.mediaType }));
  const key = credential.api_key ?? '';
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  let response: Response;
  try {
    // The http service takes a form of any make; its type knows the global one only.
    const body = form as unknown as globalThis.FormData;
    response = await http.fetch(endpoint(credential.base_url ?? ''), { method: 'POST', headers, body, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ModelFailure(`The speech endpoint could not be reached${reason(error)}.`, true);
  }
  const text = await bodyOf(response);
  if (!response.ok) throw new ModelFailure(`LLM ${String(response.status)}: ${said(text, key)}`, response.status >= 500, response.status);
  return spoken(text, response.headers.get('content-type') ?? '');
}

/** The base path is kept, with or without a slash at its end; its query too. */
function endpoint(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/audio/transcriptions`;
  return url.href;
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new ModelFailure('The speech endpoint answered more than a text.', false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function spoken(body: string, contentType: string): string {
  if (/^\s*<(!doctype|html)\b/i.test(body)) throw new ModelFailure('The speech endpoint answered with a web page.', false);
  if (!contentType.includes('json') && !body.trimStart().startsWith('{')) return body;
  const text = member(parsed(body), 'text');
  if (typeof text === 'string') return text;
  throw new ModelFailure('The speech endpoint answered JSON without a text.', false);
}

/** What an endpoint says of an error, without the key it likes to quote. */
function said(body: string, key: string): string {
  const read = parsed(body);
  const error = member(read, 'error');
  const words = [member(error, 'message'), error, member(read, 'message'), member(read, 'detail')].find((one) => typeof one === 'string');
  const text = typeof words === 'string' ? words : 'the speech endpoint gave no reason';
  const clean = (key === '' ? text : text.replaceAll(key, '[secret]')).replace(/\b(sk|pk|key)-[\w*.-]{6,}/gi, '[secret]');
  return clean
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, SAID_CHARS)
    .toWellFormed();
}

function reason(error: unknown): string {
  const refused = error instanceof BailingError ? error : (error as { cause?: unknown } | null)?.cause;
  return refused instanceof BailingError ? ` (${refused.code})` : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
