import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { expect } from 'chai';
import { submit, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { makeWorld } from '../support/world.js';

/** What may be true after the process was killed at an edge and started again. */
interface Edge {
  readonly at: string;
  /** The promise of this edge. `once`: the refund happened exactly once and the job is done. `unknown`: at most once, and the job says so. */
  readonly promise: 'once' | 'unknown';
}

const BEFORE_INTENT = ['before-begin', 'after-begin', 'after-take-budget', 'after-insert-intent', 'after-insert-line', 'before-commit'];
const IN_SETTLE = ['before-begin', 'after-begin', 'after-record-answer', 'after-line-savepoint', 'after-insert-line', 'before-commit'];

/** Every journal edge of one write, in the order a call passes them. */
const ALL: readonly Edge[] = [
  { at: 'accept:after-commit', promise: 'once' },
  { at: 'take:after-commit', promise: 'once' },
  ...BEFORE_INTENT.map((place): Edge => ({ at: `intend-write:${place}`, promise: 'once' })),
  { at: 'intend-write:after-commit', promise: 'unknown' },
  { at: 'business:received', promise: 'unknown' },
  ...IN_SETTLE.map((place): Edge => ({ at: `settle-write:${place}`, promise: 'unknown' })),
  { at: 'settle-write:after-commit', promise: 'once' },
  { at: 'finish:before-commit', promise: 'once' },
  { at: 'finish:after-commit', promise: 'once' },
];

/** One edge of each kind; `npm test` plays these, the full list belongs to CI. */
const QUICK = new Set([
  'take:after-commit',
  'intend-write:before-commit',
  'intend-write:after-commit',
  'business:received',
  'settle-write:before-commit',
  'settle-write:after-commit',
  'finish:before-commit',
]);
const EDGES = process.env.BAILING_CRASH === 'quick' ? ALL.filter(({ at }) => QUICK.has(at)) : ALL;

interface Outcome {
  readonly killed: boolean;
  readonly status: string;
  readonly error: string;
  readonly governance: string;
  readonly refunds: number;
}

const INPUT = 'Create a refund request of 300 for order A-1001 because the parcel arrived damaged';

/** Kills the hub at one edge of a refund request, starts it again, and looks at the business and at the job. */
async function killAt(edge: Edge, fixture: DatabaseFixture): Promise<Outcome> {
  const database = await fixture.create();
  let hub: HubProcess | null = null;
  const world = await makeWorld({
    database: database.url,
    hub: '  lease_ms: 1000',
    timeoutMs: 1_000,
    service: { onCall: async () => (edge.at === 'business:received' && firstRun ? hub?.kill() : undefined) },
  });
  let firstRun = true;
  try {
    hub = await startHubProcess({ configFile: world.configFile, failpoint: edge.at });
    const accepted = hub && (await submit(hub.url, 'crash:1', INPUT).catch(() => null));
    const signal = await Promise.race([hub?.ended, new Promise<'alive'>((resolve) => setTimeout(() => resolve('alive'), 8_000))]);
    firstRun = false;
    if (signal === 'alive') await hub?.kill();
    hub = await startHubProcess({ configFile: world.configFile });
    if (!hub) throw new Error('the hub did not start again');
    // A client that got no answer asks again with the same request_id.
    const again = accepted ?? (await submit(hub.url, 'crash:1', INPUT));
    const job = await waitForEnd(hub.url, String(again.body.job_id));
    const result = job.result as { governance_state?: string } | undefined;
    return {
      killed: signal === 'SIGKILL',
      status: String(job.status),
      error: typeof job.error === 'string' ? job.error : '',
      governance: String(result?.governance_state ?? ''),
      refunds: world.service.refunds().length,
    };
  } finally {
    await hub?.kill();
    await world.close();
    await database.drop();
  }
}

/** Runs all edges, a few at a time: most of each is waiting for leases. */
async function killAtAll(fixture: DatabaseFixture): Promise<ReadonlyMap<string, Outcome | Error>> {
  const outcomes = new Map<string, Outcome | Error>();
  const todo = [...EDGES];
  const work = async () => {
    for (let edge = todo.shift(); edge; edge = todo.shift()) {
      outcomes.set(
        edge.at,
        await killAt(edge, fixture).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
      );
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return outcomes;
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 in the middle of a refund request, on ${fixture.name}`, function () {
    this.timeout(180_000);
    let outcomes: ReadonlyMap<string, Outcome | Error>;
    before(async () => {
      outcomes = await killAtAll(fixture);
    });

    for (const edge of EDGES) {
      it(
        edge.promise === 'once'
          ? `at ${edge.at} the refund happens exactly once`
          : `at ${edge.at} it happens at most once and the job says that it is unknown`,
        () => {
          const outcome = outcomes.get(edge.at);
          if (outcome instanceof Error) throw outcome;
          expect(outcome?.killed, 'the process was killed there').to.equal(true);
          if (edge.promise === 'once') expect(outcome).to.include({ status: 'done', refunds: 1 });
          else {
            expect(outcome?.refunds).to.be.at.most(1);
            expect(outcome).to.include({
              status: 'error',
              error: 'tool_execution_reconciliation_required',
              governance: 'reconciliation_required',
            });
          }
        },
      );
    }
  });
}
