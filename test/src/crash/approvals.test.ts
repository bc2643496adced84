import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { toolDocument } from '@bailing/example-orders-service';
import { expect } from 'chai';
import { admin, until } from '../support/desk.js';
import { ask, eventsOf, submit } from '../support/http.js';
import { startHub } from '../support/hub.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { CLIENT_TOKEN, makeWorld, type World } from '../support/world.js';

const INPUT = 'Execute the refund of 20 for order A-1003 immediately because it is late';

/** A story that is killed at one place and told to its end by the next process. */
interface Story {
  /** What the process that dies is made to do. */
  readonly act: (stage: Stage) => Promise<unknown>;
  /** What is true at the end. */
  readonly end: (stage: Stage) => Promise<void>;
  readonly prepare?: (stage: Stage) => Promise<unknown>;
  readonly expiresAfterMs?: number;
  /** The business does not answer its first write. */
  readonly lost?: boolean;
}

interface Stage {
  readonly world: World;
  readonly job: string;
  url: string;
  tight: boolean;
  stop: () => Promise<void>;
}

const decide = ({ url }: Stage) => ask(url, 'POST', '/approvals/1/decision', { decision: 'approved', approver: 'u-cleo' }, CLIENT_TOKEN);
const approval = async ({ url }: Stage) => (await admin(url, 'GET', '/tool-approvals/1')).body;
const jobOf = async ({ url, job }: Stage) => (await ask(url, 'GET', `/jobs/${job}`)).body;
const payouts = ({ world }: Stage) => world.service.refunds().length;
const count = async ({ url, job }: Stage, event: string) => (await eventsOf(url, job)).filter((one) => one.event === event).length;

async function overWith(stage: Stage, status: string): Promise<Record<string, unknown>> {
  return until(async () => {
    const job = await jobOf(stage);
    return job.status === status && (await approval(stage)).used_at !== null && job;
  }, 25_000);
}

/** Approved, run by the hub, exactly once. The decision is brought again, as a business without an answer does. */
const runsOnce: Story = {
  act: decide,
  end: async (stage) => {
    expect((await decide(stage)).status).to.equal(200);
    await overWith(stage, 'done');
    expect(payouts(stage)).to.equal(1);
    expect(await count(stage, 'tool_approved_external')).to.equal(1);
  },
};

/** Approved and sent, the answer lost with the process: unknown, never sent again, settled by the records of the business. */
const isUnknown: Story = {
  act: decide,
  end: async (stage) => {
    const job = await overWith(stage, 'error');
    expect(job.error).to.equal('tool_execution_reconciliation_required');
    expect(payouts(stage)).to.be.at.most(1);
    const before = payouts(stage);
    await settle(stage);
    await overWith(stage, 'done');
    expect(payouts(stage)).to.equal(before);
  },
};

async function settle(stage: Stage) {
  const { items } = (await admin(stage.url, 'GET', '/unresolved')).body as { items: { id: number; attempt: number }[] };
  const [row] = items;
  return (
    row &&
    admin(stage.url, 'POST', `/unresolved/${String(row.id)}/settle`, { verdict: 'applied', evidence: 'in the books', attempt: row.attempt })
  );
}

/** Expired by its stored time: once in the ledger, never run. */
const expires: Story = {
  expiresAfterMs: 1_000,
  act: () => Promise.resolve(),
  end: async (stage) => {
    await until(async () => (await approval(stage)).status === 'expired');
    expect((await decide(stage)).status).to.equal(409);
    expect(await count(stage, 'tool_approval_expired')).to.equal(1);
    expect(payouts(stage)).to.equal(0);
  },
};

/** The document was tightened: void by name, once in the ledger, never run. */
const becomesVoid: Story = {
  act: (stage) => Promise.resolve(stage),
  prepare: (stage) => Promise.resolve((stage.tight = true)),
  end: async (stage) => {
    await until(async () => (await approval(stage)).status === 'void');
    expect((await decide(stage)).status).to.equal(409);
    expect(await count(stage, 'tool_approval_void')).to.equal(1);
    expect(payouts(stage)).to.equal(0);
  },
};

/** A settlement is one settlement, and its job goes on. */
const settlesOnce: Story = {
  lost: true,
  prepare: async (stage) => {
    expect((await decide(stage)).status).to.equal(200);
    await until(async () => (await jobOf(stage)).status === 'error', 30_000);
  },
  act: settle,
  end: async (stage) => {
    await settle(stage);
    await overWith(stage, 'done');
    expect(await count(stage, 'tool_execution_settled')).to.equal(1);
    expect(payouts(stage)).to.be.at.most(1);
    expect(await count(stage, 'tool_call')).to.equal(1);
  },
};

/** Probes settle nothing by themselves here: their evidence is there in the end, and nothing was sent again. */
const isProbed: Story = {
  ...settlesOnce,
  act: () => Promise.resolve(),
  end: async (stage) => {
    await until(async () => {
      const { items } = (await admin(stage.url, 'GET', '/unresolved')).body as { items: { evidence: unknown }[] };
      return items[0] && items[0].evidence !== null;
    }, 20_000);
    expect(await count(stage, 'tool_call')).to.equal(1);
  },
};

const SAYS: ReadonlyMap<Story, string> = new Map([
  [runsOnce, 'the approved call runs exactly once'],
  [isUnknown, 'it was sent at most once, is called unknown, and is settled by a person'],
  [expires, 'the question expires once and never runs'],
  [becomesVoid, 'the question becomes void once and never runs'],
  [settlesOnce, 'the settlement is one settlement and nothing is sent again'],
  [isProbed, 'the evidence comes in the end and nothing is sent again'],
]);

const edges = (unit: string, places: readonly string[], story: Story) => places.map((place) => [`${unit}:${place}`, story] as const);
const AROUND = ['before-begin', 'before-commit'];

/** `BAILING_CRASH_ONLY=decide:` runs the edges whose names begin so. */
const ONLY = process.env.BAILING_CRASH_ONLY ?? '';
const ALL: readonly (readonly [string, Story])[] = [
  ...edges('decide', [...AROUND, 'after-decide-approval', 'after-requeue-ended', 'after-commit'], runsOnce),
  ...edges('take', ['after-claim-job', 'after-commit'], runsOnce),
  ...edges('intend-write', [...AROUND, 'after-take-reserved', 'after-spend-approval', 'after-insert-intent'], runsOnce),
  ...edges('intend-write', ['after-commit'], isUnknown),
  ...edges('settle-write', ['before-begin', 'before-commit'], isUnknown),
  ...edges('settle-write', ['after-commit'], runsOnce),
  ...edges('finish', ['before-commit', 'after-commit'], runsOnce),
  ...edges('expire-approvals', [...AROUND, 'after-end-approval', 'after-commit'], expires),
  ...edges('void-approvals', [...AROUND, 'after-end-approval', 'after-commit'], becomesVoid),
  ...edges('settle-unresolved', [...AROUND, 'after-settle-applied', 'after-insert-settlement', 'after-commit'], settlesOnce),
  ...edges('begin-probe', [...AROUND, 'after-commit'], isProbed),
  ...edges('end-probe', [...AROUND, 'after-commit'], isProbed),
];

const EDGES = ALL.filter(([edge]) => edge.startsWith(ONLY));

/** Asks, kills at the edge, starts again and looks. */
async function killAt(edge: string, story: Story, fixture: DatabaseFixture): Promise<boolean> {
  const database = await fixture.create();
  let stage: Stage | undefined;
  let first = true;
  const onCall = async (tool: string) => {
    if (!story.lost || tool !== 'refund_execute' || !first) return;
    first = false;
    await new Promise(() => undefined);
  };
  const expiry = story.expiresAfterMs === undefined ? '' : `, expires_after_ms: ${String(story.expiresAfterMs)}`;
  const world = await makeWorld({
    database: database.url,
    hub: '  lease_ms: 1000',
    timeoutMs: 1_000,
    approval: () => `{ type: console${expiry} }`,
    service: { onCall, document: () => (stage?.tight ? tightened() : toolDocument()) },
  });
  try {
    stage = await asked(world);
    await story.prepare?.(stage);
    await stage.stop();
    const dying = await startHubProcess({ configFile: world.configFile, failpoint: edge });
    let killed = dying === null;
    if (dying) {
      stage.url = dying.url;
      await Promise.all([
        story.act(stage).catch(() => undefined),
        dying.ended.then(() => (killed = true)).catch(() => undefined),
        lateKill(dying),
      ]);
    }
    Object.assign(stage, await started(world));
    await story.end(stage);
    return killed;
  } finally {
    await stage?.stop();
    await world.close();
    await database.drop();
  }
}

/** A process that never comes to its place is ended, so that the test can say so. */
async function lateKill(dying: HubProcess): Promise<void> {
  const alive = await Promise.race([
    dying.ended.then(() => false),
    new Promise<true>((resolve) => setTimeout(() => resolve(true), 45_000)),
  ]);
  if (alive) {
    await dying.kill('SIGTERM');
    throw new Error('the process never came to this place');
  }
}

/** The hub before and the hub after, in this process; the one that dies has one to itself. */
async function started(world: World): Promise<Pick<Stage, 'url' | 'stop'>> {
  const { url, hub } = await startHub(world);
  return { url, stop: () => hub.stop() };
}

async function asked(world: World): Promise<Stage> {
  const hub = await started(world);
  const accepted = await submit(hub.url, 'crash:1', INPUT, { operator_uid: 'u-cleo' });
  const stage: Stage = { world, ...hub, job: String(accepted.body.job_id), tight: false };
  await until(async () => (await jobOf(stage)).status === 'done');
  return stage;
}

function tightened(): object {
  const document = structuredClone(toolDocument()) as {
    paths: Record<string, { post?: { 'x-agent-capability': Record<string, unknown> } }>;
  };
  const acc = document.paths['/refunds']?.post?.['x-agent-capability'];
  if (acc) acc['audit'] = { sensitive: true };
  return document;
}

/** A few at a time: most of each is waiting for leases. */
async function killAtAll(fixture: DatabaseFixture): Promise<ReadonlyMap<string, boolean | Error>> {
  const outcomes = new Map<string, boolean | Error>();
  const todo = [...EDGES];
  const work = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [edge, story] = next;
      const outcome = await killAt(edge, story, fixture).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      outcomes.set(edge, outcome);
    }
  };
  await Promise.all([work(), work(), work(), work(), work()]);
  return outcomes;
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 around decisions, approved calls, expiry, voiding, settlements and probes, on ${fixture.name}`, function () {
    this.timeout(600_000);
    let outcomes: ReadonlyMap<string, boolean | Error>;
    before(async () => {
      outcomes = await killAtAll(fixture);
    });
    for (const [edge, story] of EDGES) {
      it(`at ${edge} ${SAYS.get(story) ?? ''}`, () => {
        const outcome = outcomes.get(edge);
        if (outcome instanceof Error) throw outcome;
        expect(outcome, 'the process was killed there').to.equal(true);
      });
    }
  });
}
