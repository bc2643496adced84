import { createHash } from 'node:crypto';
import { deflateRawSync, deflateSync } from 'node:zlib';

/** Documents as other programs write them, made for one test. */

export interface PdfOptions {
  /** Opens with the password; `''` opens for everybody and is locked against changes only. */
  readonly password?: string;
  /** What the pages show beside their text: a picture of it, as a scanner makes it. */
  readonly picture?: true;
}

/** A PDF of one line of text per page; a page given as bytes is its packed content. */
export function pdfOf(pages: readonly (string | Buffer)[], { password, picture }: PdfOptions = {}): Buffer {
  const lock = password === undefined ? undefined : lockOf(password);
  const draw = picture ? 'q 612 0 0 792 0 0 cm /I Do Q ' : '';
  const streams = pages.map((page) =>
    typeof page === 'string' ? deflateSync(`${draw}${page === '' ? '' : `BT /F 12 Tf 72 720 Td (${page}) Tj ET`}`) : page,
  );
  const kids = pages.map((_page, n) => `${String(5 + 2 * n)} 0 R`).join(' ');
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${String(pages.length)} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    stream(4, '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ', deflateSync('\x80'), lock),
  ];
  streams.forEach((content, n) => {
    const own = 6 + 2 * n;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${String(own)} 0 R /Resources << /Font << /F 3 0 R >> /XObject << /I 4 0 R >> >> >>`,
      ),
      stream(own, '', content, lock),
    );
  });
  return assembled(objects, lock?.entry ?? '');
}

function stream(number: number, members: string, content: Buffer, lock: Lock | undefined): Buffer {
  const bytes = lock ? lock.sealed(number, content) : content;
  return Buffer.concat([
    Buffer.from(`<< ${members}/Length ${String(bytes.length)} /Filter /FlateDecode >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
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
  const size = String(objects.length + 1);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${String(at)}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

interface Lock {
  readonly entry: string;
  sealed(object: number, bytes: Buffer): Buffer;
}

const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.from('an-id-of-sixteen');
const RIGHTS = Buffer.from('fcffffff', 'hex');

/** The standard handler of PDF 1.4, revision 2: RC4 with forty bits. */
function lockOf(password: string): Lock {
  const user = padded(password);
  const owner = rc4(md5(padded('the owner')).subarray(0, 5), user);
  const key = md5(user, owner, RIGHTS, ID).subarray(0, 5);
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  return {
    entry: `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PAD))} /P -4 >> /ID [${hex(ID)}${hex(ID)}] `,
    sealed: (object, bytes) => rc4(md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])).subarray(0, 10), bytes),
  };
}

function padded(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, 'latin1'), PAD]).subarray(0, 32);
}

function md5(...parts: Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_none, n) => n);
  const at = (n: number): number => box[n & 255] ?? 0;
  const swap = (one: number, other: number): void => void ([box[one], box[other]] = [at(other), at(one)]);
  for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + at(i) + (key[i % key.length] ?? 0)) & 255));
  let [i, j] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      swap(i, (j = (j + at(i)) & 255));
      return byte ^ at(at(i) + at(j));
    }),
  );
}

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Its size as the directory says it, instead of the truth. */
  readonly claims?: number;
}

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, claims } of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claims ?? Buffer.byteLength(content), 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    fields.copy(entry, 6);
    entry.writeUInt32LE(at, 42);
    locals.push(local);
    directory.push(entry, Buffer.from(name));
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A DOCX; `body` replaces its text, `claims` what the directory says of its size. */
export function docxOf(paragraphs: readonly string[], bomb?: { readonly body: Buffer; readonly claims?: number }): Buffer {
  const text = paragraphs.map((one) => `<w:p><w:r><w:t>${one}</w:t></w:r></w:p>`).join('');
  const content = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${text}</w:body></w:document>`;
  return zipOf([
    { name: '[Content_Types].xml', content: TYPES },
    { name: '_rels/.rels', content: RELATIONS },
    { name: 'word/document.xml', content: bomb?.body ?? content, ...(bomb?.claims !== undefined && { claims: bomb.claims }) },
  ]);
}
