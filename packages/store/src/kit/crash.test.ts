import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { onEveryDatabase, type World, world, writeIntent } from './world.js';

/** Where the process dies, what was sent by then, and what the journal says afterwards. */
const edges = [
  { place: 'intend-write:after-insert-intent', sent: 0, state: 'none', used: 0 },
  { place: 'intend-write:before-commit', sent: 0, state: 'none', used: 0 },
  { place: 'intend-write:after-commit', sent: 0, state: 'dispatching', used: 1 },
  { place: 'settle-write:after-insert-line', sent: 1, state: 'dispatching', used: 1 },
  { place: 'settle-write:after-record-answer', sent: 1, state: 'dispatching', used: 1 },
  { place: 'settle-write:before-commit', sent: 1, state: 'dispatching', used: 1 },
  { place: 'settle-write:after-commit', sent: 1, state: 'completed', used: 1 },
] as const;

onEveryDatabase('A process killed in the middle of a write', function (fixture) {
  let w: World;
  let folder: string;
  before(async () => {
    w = await world(fixture, { now: Date.now });
    folder = await mkdtemp(join(tmpdir(), 'bailing-crash-'));
  });
  after(async () => {
    await w.end();
    await rm(folder, { recursive: true });
  });

  it('leaves a journal that knows, or says that it does not', async function () {
    this.timeout(60_000);
    const ended = await Promise.all(edges.map((edge, index) => afterDying(edge.place, `job-${String(index)}`)));
    expect(ended).to.deep.equal(edges.map((edge) => ({ ...edge, killed: true, calls: edge.state === 'none' ? 0 : 1 })));
    expect((await verifyLedger(w.database.url)).found).to.deep.equal([]);
  });

  async function afterDying(place: string, job: string) {
    const effects = join(folder, job);
    const signal = await run([w.database.url, place, job, effects]);
    const sent = await readFile(effects, 'utf8').then(
      (text) => text.trim().split('\n').length,
      () => 0,
    );
    const [open] = await w.store.calls.unresolved(job);
    const recorded = await w.store.calls.recorded(writeIntent({ job, claim: '', replica: '' }, 'a').key);
    const state = open?.state ?? (recorded ? 'completed' : 'none');
    const calls = (await w.store.jobs.audit(job, 0, 100)).filter(({ event }) => event === 'tool_call').length;
    return { place, sent, state, used: (await w.store.jobs.get(job))?.callsUsed, killed: signal === 'SIGKILL', calls };
  }
});

function run(args: readonly string[]): Promise<NodeJS.Signals | null> {
  const child = fileURLToPath(new URL('./crash-child.js', import.meta.url));
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('exit', (_code, signal) => resolve(signal))
      .on('error', reject);
  });
}
