import { deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF with one line of text per page; a page given as bytes is a packed content stream of its own. */
export function aPdf(pages: readonly (string | Buffer)[], trailer = ''): Buffer {
  const bodies = pages.flatMap((page, n): Buffer[] => {
    const content = typeof page === 'string' ? deflateSync(`BT /F1 12 Tf 72 720 Td (${page}) Tj ET`) : page;
    const resources = `<< /Font << /F1 3 0 R >> >>`;
    return [
      Buffer.from(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${String(5 + 2 * n)} 0 R /Resources ${resources} >>`),
      Buffer.concat([
        Buffer.from(`<< /Length ${String(content.length)} /Filter /FlateDecode >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ];
  });
  const kids = pages.map((_page, n) => `${String(4 + 2 * n)} 0 R`).join(' ');
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${String(pages.length)} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...bodies,
  ];
  return assembled(objects, trailer);
}

function assembled(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const whole = Buffer.concat([Buffer.from(`${String(index + 1)} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    at += whole.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${String(at)}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/** What makes readers ask for a password. */
export const ENCRYPTED = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<61><61>]`;

/** A page whose few packed bytes unfold to `megabytes` of drawing. */
export function pageBomb(megabytes: number): Buffer {
  return deflateSync(Buffer.alloc(megabytes * 1_048_576, 'BT /F1 12 Tf 72 720 Td (x) Tj ET\n'));
}

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the directory claims instead of the truth. */
  readonly claims?: number;
}

/** A zip of packed entries. */
export function aZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, claims } of entries) {
    const whole = Buffer.from(content);
    const packed = deflateRawSync(whole);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(whole), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claims ?? whole.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    head.copy(entry, 6, 0, 26);
    entry.writeUInt32LE(at, 42);
    locals.push(local);
    directory.push(Buffer.concat([entry, Buffer.from(name)]));
    at += local.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

export function docxParts(paragraphs: readonly string[]): ZipEntry[] {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const content = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return [
    { name: '[Content_Types].xml', content: TYPES },
    { name: '_rels/.rels', content: RELATIONS },
    { name: 'word/document.xml', content },
  ];
}

export function aDocx(paragraphs: readonly string[]): Buffer {
  return aZip(docxParts(paragraphs));
}

const TABLE = Uint32Array.from({ length: 256 }, (_row, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = ((crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)) >>> 0;
  return (crc ^ 0xffffffff) >>> 0;
}
