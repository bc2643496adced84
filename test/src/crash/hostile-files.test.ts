import fs from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { makeInputWorld, type InputWorld } from '../support/input-world.js';
import { docxOf, pdfOf } from '../support/papers.js';

const MIB = 1_048_576;
/** What one hostile file may cost by the clock; the wall of the parser is ten seconds here. */
const WALL_MS = 10_000;
/** A machine on which nothing else happens answers in this time. */
const QUIET_MS = 20;

/** A PDF of one page whose content unfolds to many times its size. */
function pdfBomb(megabytes: number): Buffer {
  return pdfOf([deflateSync(Buffer.alloc(megabytes * MIB, 'BT /F 12 Tf 72 720 Td (x) Tj ET\n'), { level: 9 })]);
}

/** A DOCX whose text unfolds to many times its size and says so, or not. */
function docxBomb(megabytes: number, claims: number): Buffer {
  return docxOf([], { body: Buffer.alloc(megabytes * MIB, '<a/>'), claims });
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
    const rest = () => answerTimes(world.hub.url, new Promise((resolve) => setTimeout(resolve, 2_000)));
    const first = await rest();
    const reading = readAll();
    const waits = await answerTimes(world.hub.url, reading);
    await reading;
    const idle = [...first, ...(await rest())].sort((a, b) => a - b);
    process.stdout.write(
      `      /health while hostile files are read: median ${at(waits, 0.5)} ms, 99th ${at(waits, 0.99)} ms, longest ${at(waits, 1)} ms of ${String(waits.length)}, before and after ${at(idle, 0.99)} ms, longest ${at(idle, 1)} ms; the hub grew by ${(peak() - before).toFixed(0)} MiB\n`,
    );
    // Every answer, where the machine is quiet; what it takes away itself, others being at work on it, is measured before and after.
    const [own, quiet] = [Number(at(idle, 1)), Number(at(idle, 1)) < QUIET_MS];
    expect(Number(at(waits, quiet ? 1 : 0.99))).to.be.below(quiet ? 100 : 100 + own);
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
