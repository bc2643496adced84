import type { InputHandler, InputReading, Material } from '@bailing/plugin-api';
import type { Parsers } from './documents/parsers.js';
import { oversizedZip } from './documents/zip-directory.js';
import { decode } from './text/decode.js';
import { htmlText } from './text/html.js';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const ACCEPTS = [
  'text/*',
  'application/json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'application/sql',
  'application/pdf',
  DOCX,
];

/** Bytes that are decoded for a number of characters: four each at most, and markup that falls away. */
const BYTES_PER_CHAR = 4;
/** Everything above would keep the hub's other work waiting. */
const MOST_BYTES = 1_048_576;
const MARKUP_FACTOR = 4;

/** Reads one file: text here, from as much of it as is of use; documents in a process of their own. */
export function fileHandler(parsers: Parsers): InputHandler {
  return {
    medium: 'file',
    accepts: ACCEPTS,
    read: async ({ materials: [material], maxChars }, signal) => {
      if (material.mediaType === 'application/pdf') return parsers.parse('pdf', material.bytes, maxChars, signal);
      if (material.mediaType === DOCX) return docx(material, maxChars, parsers, signal);
      return textOf(material, maxChars);
    },
  };
}

async function docx({ bytes }: Material, maxChars: number, parsers: Parsers, signal: AbortSignal): Promise<InputReading> {
  const refused = oversizedZip(bytes);
  return refused === null ? parsers.parse('docx', bytes, maxChars, signal) : { is: 'failed', says: refused, parser: 'docx' };
}

async function textOf({ bytes, mediaType }: Material, maxChars: number): Promise<InputReading> {
  const markup = mediaType === 'text/html';
  const wanted = Math.min(MOST_BYTES, maxChars * BYTES_PER_CHAR * (markup ? MARKUP_FACTOR : 1));
  const decoded = decode(bytes.subarray(0, wanted), bytes.length > wanted);
  if (decoded === null) return { is: 'failed', says: 'its bytes are no text in UTF-8, UTF-16 or GB18030.', parser: 'text' };
  const text = (markup ? await htmlText(decoded) : decoded).trim();
  return text === '' ? { is: 'nothing', says: 'there is no text in it.', parser: 'text' } : { is: 'text', text, parser: 'text' };
}
