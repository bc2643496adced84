import fs from 'node:fs';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { makeInputWorld, type InputWorld } from '../support/input-world.js';

const MIB = 1_048_576;
/** What one hostile file may cost by the clock; the wall of the parser is ten seconds here. */
const WALL_MS = 10_000;

/** A PDF of one page whose content unfolds to many times its size. */
function pdfBomb(megabytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * MIB, 'BT /F1 12 Tf 72 720 Td (x) Tj ET\n'), { level: 9 });
  const head = Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nendobj\n4 0 obj\n<< /Length ${String(content.length)} /Filter /FlateDecode >>\nstream\n`,
  );
  return Buffer.concat([head, content, Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF')]);
}

/** A DOCX of one part that unfolds to many times its size and says so, or not. */
function docxBomb(megabytes: number, claims: number): Buffer {
  const name = 'word/document.xml';
  const packed = deflateRawSync(Buffer.alloc(megabytes * MIB, '<a/>'), { level: 9 });
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(claims, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  fields.copy(entry, 6);
  const note = Buffer.from('[Content_Types].xml');
  entry.writeUInt16LE(note.length, 32);
  const directory = Buffer.concat([entry, Buffer.from(name), note]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

const HOSTILE: Readonly<Record<string, Buffer>> = {
  '/bomb.pdf': pdfBomb(300),
  '/open.docx': docxBomb(300, 300 * MIB),
  '/lying.docx': docxBomb(300, 900),
  '/noise.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20 * MIB, 'obj << /A [ ( ')]),
  '/text.txt': Buffer.alloc(20 * MIB - 1, '退款规定 and so on\n'),
  '/wide.txt': Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.alloc(20 * MIB - 2, Buffer.from('宽字符\n', 'utf16le'))]),
  '/tags.html': Buffer.alloc(20 * MIB - 1, '<'),
  '/one-line.json': Buffer.alloc(20 * MIB - 1, '['),
  '/zip.docx': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(MIB, 0x50)]),
};

describe('hostile files', function () {
  this.timeout(180_000);
  let world: InputWorld;
  before(async () => {
    const limits = { use: 'input-file', config: { cpu_seconds: 5, wall_seconds: WALL_MS / 1_000 } };
    world = await makeInputWorld({ apart: true, routes: { desk: undefined }, media: HOSTILE, more: { plugins: [limits] } });
  });
  after(() => world.close());

  /** Most memory that the hub's own process has had, in MiB. */
  const peak = (): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${String(world.hub.pid)}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

  it('cost that file, a bounded time and a bounded memory, while the hub answers /health within 100 ms', async () => {
    await fetch(`${world.hub.url}/health`);
    const before = peak();
    const idle = await answerTimes(world.hub.url, new Promise((resolve) => setTimeout(resolve, 3_000)));
    const reading = readAll();
    const waits = await answerTimes(world.hub.url, reading);
    await reading;
    process.stdout.write(
      `      /health while hostile files are read: median ${at(waits, 0.5)} ms, 99th ${at(waits, 0.99)} ms of ${String(waits.length)}, before ${at(idle, 0.99)} ms; the hub grew by ${(peak() - before).toFixed(0)} MiB\n`,
    );
    // What the machine itself takes away, others being at work on it, is measured before.
    expect(Number(at(waits, 0.99))).to.be.below(100 + Number(at(idle, 1)));
    expect(peak() - before).to.be.below(400);
  });

  async function readAll(): Promise<void> {
    for (const path of Object.keys(HOSTILE)) {
      const begun = performance.now();
      const { job, events } = await world.run('desk', `[file](${world.media.url}${path})`);
      expect(performance.now() - begun, path).to.be.below(WALL_MS + 5_000);
      expect(job.status, path).to.equal('done');
      expect(
        events.filter(({ event }) => event === 'file_input'),
        path,
      ).to.have.length(1);
    }
  }
});

/** How long `/health` took, asked again and again until `done`, shortest first. */
async function answerTimes(url: string, done: Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let over = false;
  const end = (): void => void (over = true);
  done.then(end, end);
  while (!over) {
    const begun = performance.now();
    await (await fetch(`${url}/health`)).arrayBuffer();
    waits.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return waits.sort((a, b) => a - b);
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
