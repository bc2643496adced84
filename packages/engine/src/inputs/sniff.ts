/** Begins of files whose kind needs no more than a look: offset, bytes, media type. */
const MAGIC: readonly (readonly [number, string, string])[] = [
  [0, '%PDF-', 'application/pdf'],
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'BM', 'image/bmp'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [0, '#!AMR', 'audio/amr'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
  [0, 'Rar!\x1a\x07', 'application/vnd.rar'],
  [0, "7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  [0, '\x1f\x8b', 'application/gzip'],
  [0, '{\\rtf', 'application/rtf'],
];

/** What an Office container holds, by the folder of its parts, and how its name ends. */
const OFFICE: readonly (readonly [string, string, string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', '.docx'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '.xlsx'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', '.pptx'],
];

/** Text kinds by the end of a name; only for bytes that are text. Everything else that is text is `text/plain`. */
const TEXT: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  sql: 'application/sql',
  js: 'text/javascript',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  eml: 'message/rfc822',
};

const LOOK = 4_096;

/** The media type of bytes, told from the bytes; a name only says which kind of text a text is. `application/octet-stream` where nothing fits. */
export function sniff(bytes: Uint8Array, name: string): string {
  const head = latin1(bytes, 0, LOOK);
  const magic = MAGIC.find(([at, begin]) => head.startsWith(begin, at))?.[2];
  if (magic !== undefined) return magic;
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return zipKind(bytes, name);
  if (head.startsWith('RIFF')) return riffKind(head);
  if (head.slice(4, 8) === 'ftyp') return boxKind(head.slice(8, 12));
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'audio/webm';
  if (isAdts(bytes)) return 'audio/aac';
  if (isMp3(bytes)) return 'audio/mpeg';
  // Readers accept a preamble before a PDF, as some mail gateways put there.
  if (head.slice(0, 1_024).includes('%PDF-')) return 'application/pdf';
  return isText(bytes) ? textKind(head, name) : 'application/octet-stream';
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function zipKind(bytes: Uint8Array, name: string): string {
  // The directory at the end names every part; the first entries alone may be anything.
  const directory =
    latin1(bytes, Math.max(0, bytes.length - 65_536), bytes.length - 32_768) +
    latin1(bytes, Math.max(0, bytes.length - 32_768), bytes.length);
  const begin = latin1(bytes, 0, 2_048);
  const names = `${begin}${directory}`;
  if (!names.includes('[Content_Types].xml')) return 'application/zip';
  const found = OFFICE.find(([folder]) => names.includes(folder))?.[1];
  if (found !== undefined || directory.includes('PK\x05\x06')) return found ?? 'application/zip';
  // Without its directory it is an Office file that was cut off before its parts; which one, only the name can say.
  return OFFICE.find(([, , ending]) => name.toLowerCase().endsWith(ending))?.[1] ?? 'application/zip';
}

function riffKind(head: string): string {
  const kind = head.slice(8, 12);
  if (kind === 'WAVE') return 'audio/wav';
  return kind === 'WEBP' ? 'image/webp' : 'application/octet-stream';
}

function boxKind(brand: string): string {
  if (/^(avif|avis)/.test(brand)) return 'image/avif';
  if (/^(heic|heix|mif1|hevc)/.test(brand)) return 'image/heic';
  return /^M4[AB]/.test(brand) ? 'audio/mp4' : 'video/mp4';
}

/** A frame header of Layer III with a bit rate that exists. */
function isMp3(bytes: Uint8Array): boolean {
  return bytes.length > 4 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2 && ((bytes[2] ?? 0) & 0xf0) !== 0xf0;
}

function isAdts(bytes: Uint8Array): boolean {
  return bytes.length > 7 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;
}

/** Text has no zero bytes, unless it is UTF-16, where every other byte of plain text is zero. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const look = bytes.subarray(0, LOOK);
  if ((look[0] === 0xff && look[1] === 0xfe) || (look[0] === 0xfe && look[1] === 0xff)) return true;
  let odd = 0;
  let even = 0;
  let controls = 0;
  for (const [index, byte] of look.entries()) {
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  }
  if (controls * 50 > look.length) return false;
  const zeros = odd + even;
  return zeros === 0 || (look.length % 2 === 0 && Math.max(odd, even) * 4 > look.length && Math.min(odd, even) * 20 < look.length);
}

function textKind(head: string, name: string): string {
  const named = TEXT[/\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (named !== undefined) return named;
  return /^\s{0,64}<(!doctype html|html)\b/i.test(head) ? 'text/html' : 'text/plain';
}
