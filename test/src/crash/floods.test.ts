import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { call, chunk, event, HostileWorld, raw, stream, text, type Row, type Say } from '../support/hostile-models.js';
import { ask } from '../support/http.js';
import { peakMib, resetPeak } from '../support/memory.js';

const MIB = 1_048_576;
/** The same piece again and again until somebody hangs up or `bytes` are sent. */
const flood =
  (bytes: number, head: string, piece: string, tail = ''): Say =>
  async (response) => {
    stream(response).write(head);
    for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length)
      if (!response.write(piece)) await new Promise((resolve) => setTimeout(resolve, 1));
    if (!response.destroyed) response.end(tail);
  };
/** Each of them is cut: what the hub holds of it stays small. */
const FLOODS: readonly Row[] = [
  {
    what: '50 MiB of words',
    say: flood(50 * MIB, '', event(chunk({ content: 'word '.repeat(200) })), text('')),
    status: 'error',
    says: /without end/,
  },
  {
    what: '50 MiB of single letters',
    say: flood(50 * MIB, '', event(chunk({ content: 'a' })).repeat(50), text('')),
    status: 'error',
    says: /larger than|without end/,
  },
  {
    what: '50 MiB of thoughts',
    say: flood(50 * MIB, '', event(chunk({ reasoning: 'hm '.repeat(300) })), text('x')),
    status: 'error',
    says: /without end/,
  },
  {
    what: '50 MiB of arguments',
    say: flood(
      50 * MIB,
      event(chunk({ tool_calls: [call(0, 'refund_create', '{"note":"')] })),
      event(chunk({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(4_000) } }] })),
    ),
    ...{ status: 'error', says: /too large|without end/, calls: [] },
  },
  { what: '50 MiB in one event', say: flood(50 * MIB, 'data: ', 'x'.repeat(65_536)), status: 'error', says: /too large/ },
  {
    what: '50 MiB of comments',
    say: flood(50 * MIB, '', `: ${'x'.repeat(4_000)}\n`, text('x')),
    status: 'error',
    says: /too large|larger than/,
  },
  {
    what: '50 MiB in one JSON text',
    say: raw(`{"choices":[{"message":{"content":"${'x'.repeat(50 * MIB)}"}}]}`),
    status: 'error',
    says: /larger than/,
  },
  {
    what: '50 MiB packed into 50 KiB',
    say: raw(gzipSync(Buffer.alloc(50 * MIB, ': x\n')), { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }),
    ...{ status: 'error', says: /too large|larger than/ },
  },
];

/** What a hub may hold more than before, at its worst moment: pieces not collected yet included. */
const MOST_MIB = 160;

describe('crash: models that never stop', function () {
  this.timeout(120_000);
  let world: HostileWorld;
  let calm: number | null;
  before(async () => {
    world = await HostileWorld.open(FLOODS, 30_000);
    resetPeak(world.hub.pid);
    calm = peakMib(world.hub.pid);
  });
  after(() => world.close());

  for (const row of FLOODS) it(`${row.what}: ${row.status}`, () => world.play(row));

  it(`cost the hub less than ${String(MOST_MIB)} MiB, and it goes on`, async () => {
    const peak = peakMib(world.hub.pid);
    if (calm !== null && peak !== null) {
      process.stdout.write(`      ${(peak - calm).toFixed(0)} MiB more than ${calm.toFixed(0)} MiB\n`);
      expect(peak - calm).to.be.below(MOST_MIB);
    }
    expect((await ask(world.hub.url, 'GET', '/health')).body).to.include({ status: 'ok' });
  });
});
