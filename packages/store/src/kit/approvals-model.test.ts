import { expect } from 'chai';
import fc from 'fast-check';
import type { Holder, Store, Ticket } from '@bailing/engine/ports';
import { consuming, decisionOf, endJob, ending, questionOf } from './desk.js';
import { heldJob, LEASE_MS, line, onEveryDatabase, START, type World, world, writeIntent } from './world.js';

const CALLS = ['a', 'b'] as const;
const EXPIRES_MS = 25_000;
const DAY_MS = 86_400_000;

/** How often each step is taken: what leads somewhere comes often enough to lead there. */
const WEIGHTS = {
  ...{ ask: 3, approve: 4, run: 6, answer: 1, lose: 2, withdraw: 2 },
  ...{ deny: 1, expire: 1, void: 1, applied: 1, 'not-applied': 2, end: 1, later: 1 },
} as const;

interface Step {
  readonly do: keyof typeof WEIGHTS;
  readonly call: (typeof CALLS)[number];
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(...Object.entries(WEIGHTS).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as Step['do']) }))),
  call: fc.oneof({ weight: 3, arbitrary: fc.constant(CALLS[0]) }, { weight: 1, arbitrary: fc.constant(CALLS[1]) }),
});

/** What the model remembers of one call: its latest approval, what its row may still do, and every dispatch with the leave it had. */
interface Known {
  approval: { id: number; status: string; spent: boolean; expiresAt: number } | null;
  ticket: Ticket | null;
  row: 'none' | 'on-its-way' | 'answered' | 'unknown' | 'released';
  dispatches: number;
  /** Approvals granted and releases recorded: no more dispatches than these. */
  leaves: number;
}

/** One job, two calls that need approval, two replicas, and a model that says what each step must answer. */
class Play {
  readonly known = new Map<string, Known>(
    CALLS.map((call) => [call, { approval: null, ticket: null, row: 'none', dispatches: 0, leaves: 0 }]),
  );
  private turn = 0;

  constructor(
    private readonly w: World,
    private readonly stores: readonly Store[],
    private by: Holder,
  ) {}

  private get store(): Store {
    this.turn += 1;
    return this.stores[this.turn % this.stores.length]!;
  }

  async run(one: Step): Promise<void> {
    const known = this.known.get(one.call)!;
    await STEPS[one.do].call(this, one.call, known);
    await this.check();
  }

  async check(): Promise<void> {
    const rows = await this.store.approvals.ofJob(this.by.job);
    const journal = new Map(
      (await this.w.database.query(`SELECT args_hash, attempt FROM bz_tool_executions WHERE job_id = '${this.by.job}'`)).map((row) => [
        String(row['args_hash']),
        Number(row['attempt']),
      ]),
    );
    for (const call of CALLS) {
      const { dispatches, leaves } = this.known.get(call)!;
      expect(dispatches, 'no dispatch without an approval or a release').to.be.at.most(leaves);
      const hash = writeIntent(this.by, call).key.argsHash;
      const spent = rows.filter((row) => row.argsHash === hash && row.usedAt !== null);
      if (spent.length > 0) expect(journal.has(hash), 'spent only with a dispatch on record').to.equal(true);
      for (const row of rows.filter((one) => one.status !== 'approved'))
        expect(row.usedAt, `a ${row.status} call never runs`).to.equal(null);
    }
  }

  frozen(): boolean {
    return [...this.known.values()].some(({ row }) => row === 'unknown');
  }

  async ask(call: string, known: Known): Promise<void> {
    // The exit asks the journal first: what is on its way, unknown or answered is never asked about again.
    if (known.row !== 'none' && known.row !== 'released') return;
    const { approval } = known;
    const expiresAt = this.w.clock.now + EXPIRES_MS;
    const asked = await this.store.approvals.open(questionOf(this.by, call, { expiresAt }));
    if (approval?.status === 'denied') return void expect(asked).to.include({ is: 'denied-before' });
    const open = approval && (approval.status === 'pending' || (approval.status === 'approved' && !approval.spent));
    if (open) return void expect(asked).to.deep.equal({ is: 'already-open', id: approval.id });
    expect(asked).to.include({ is: 'opened' });
    known.approval = { id: 'id' in asked ? asked.id : 0, status: 'pending', spent: false, expiresAt };
  }

  async decide(known: Known, verdict: 'approved' | 'denied'): Promise<void> {
    const { approval } = known;
    if (!approval) return;
    const decided = await this.store.approvals.decide(decisionOf(approval.id, this.by.job, verdict));
    const late = approval.status === 'pending' && approval.expiresAt <= this.w.clock.now;
    if (approval.status === verdict) return void expect(decided).to.deep.equal({ is: 'again' });
    if (approval.status === 'void') return void expect(decided).to.deep.equal({ is: 'void' });
    if (approval.status === 'expired' || late) return void expect(decided).to.deep.equal({ is: 'expired' });
    if (approval.status !== 'pending') return void expect(decided).to.include({ is: 'conflict', status: approval.status });
    expect(decided).to.include({ is: 'decided', rerun: verdict === 'approved' ? 'at-finish' : 'none' });
    approval.status = verdict;
    if (verdict === 'approved') known.leaves += 1;
  }

  async dispatch(call: string, known: Known): Promise<void> {
    const { approval } = known;
    const ran = await this.store.calls.intendWrite(consuming(this.by, approval?.id ?? 999_999_999, call));
    if (known.row === 'answered') return void expect(ran).to.include({ is: 'replay' });
    if (known.row === 'on-its-way') return void expect(ran).to.include({ is: 'in-flight' });
    if (this.frozen()) return void expect(ran).to.include({ is: 'frozen' });
    const may = approval?.status === 'approved' && !approval.spent && approval.expiresAt > this.w.clock.now;
    if (!may) return void expect(ran).to.include({ is: 'approval-gone' });
    expect(ran).to.include({ is: 'go' });
    known.ticket = ran.is === 'go' ? ran.ticket : null;
    known.row = 'on-its-way';
    known.dispatches += 1;
    approval.spent = true;
  }

  async settle(known: Known, how: 'answer' | 'lose' | 'withdraw'): Promise<void> {
    const { ticket } = known;
    if (!ticket) return;
    known.ticket = null;
    const noted = line('tool_result', this.by.job);
    const owner = this.store;
    if (how === 'answer') expect(await owner.calls.settleWrite(ticket, { ok: true, status: 200, text: 'x' }, noted)).to.equal('completed');
    if (how === 'lose') expect(await owner.calls.unknown(ticket, 'timeout', noted)).to.equal('uncertain');
    if (how === 'withdraw') expect(await owner.calls.withdraw(ticket, noted)).to.equal('withdrawn');
    known.row = how === 'answer' ? 'answered' : how === 'lose' ? 'unknown' : known.dispatches > 1 ? 'released' : 'none';
    if (how !== 'withdraw') return;
    known.dispatches -= 1;
    if (known.approval) known.approval.spent = false;
  }

  async settleUnknown(call: string, known: Known, verdict: 'applied' | 'not_applied'): Promise<void> {
    const hash = writeIntent(this.by, call).key.argsHash;
    const row = (await this.store.reconcile.list(0, 500)).find(({ key }) => key.job === this.by.job && key.argsHash === hash);
    if (!row) return;
    const settled = await this.store.reconcile.settle({
      ...{ id: row.id, attempt: row.attempt, job: this.by.job, verdict, by: 'ann', evidence: 'e', rerun: false, headStartMs: 0 },
      answer: { ok: true, status: 200, text: 'settled' },
      line: line('tool_execution_settled', this.by.job),
      rerunLine: line('rerun', this.by.job),
    });
    if (known.row === 'on-its-way') return void expect(settled).to.deep.equal({ is: 'in-flight' });
    const early = verdict === 'not_applied' && this.w.clock.now < row.sendBy + 300_000;
    if (early) return void expect(settled).to.include({ is: 'too-early' });
    expect(settled).to.include({ is: 'settled' });
    known.row = verdict === 'applied' ? 'answered' : 'released';
    if (verdict === 'applied') return;
    known.leaves += 1;
    if (known.approval) known.approval.spent = false;
  }

  async endApproval(known: Known, how: 'expire' | 'void'): Promise<void> {
    const { approval } = known;
    if (!approval) return;
    const open = approval.status === 'pending' || (approval.status === 'approved' && !approval.spent);
    const due = (await this.store.approvals.due(this.w.clock.now, 500)).some(({ id }) => id === approval.id);
    expect(due).to.equal(open && approval.expiresAt <= this.w.clock.now);
    if (how === 'expire' && !due) return;
    const endings = [ending(approval.id, this.by.job)];
    const moved = how === 'expire' ? await this.store.approvals.expire(endings) : await this.store.approvals.voidOpen(endings, 'changed');
    expect(moved).to.equal(open ? 1 : 0);
    if (open) approval.status = how === 'expire' ? 'expired' : 'void';
  }

  /** The end of the job: it is queued again exactly where an approved call has not run, and then taken again. */
  async end(): Promise<void> {
    if ([...this.known.values()].some(({ row }) => row === 'on-its-way')) return;
    const job = (await this.store.jobs.get(this.by.job))!;
    const marked = Number((await this.w.database.query(`SELECT rerun FROM bz_jobs WHERE id = '${job.id}'`))[0]!['rerun']) === 1;
    const unspent = [...this.known.values()].some(({ approval }) => approval?.status === 'approved' && !approval.spent);
    expect(await endJob(this.store, this.by)).to.equal(marked && unspent ? 'requeued' : 'finished');
    if (!(marked && unspent)) expect(await this.store.jobs.rerun(job.id, 0, line('rerun', job.id))).to.equal('queued');
    const [taken] = await this.store.jobs.take({ replica: 'r1', max: 1, leaseMs: 100 * DAY_MS, targets: [job.target] });
    this.by = taken!.by;
  }

  later(): void {
    // Sometimes only a moment, sometimes past every time limit there is.
    this.w.clock.now += this.turn % 3 === 0 ? 400_000 : 12_000;
    // What nobody settled in its time is nobody's any more: its ticket is void, its row unknown.
    for (const known of this.known.values()) {
      if (known.row !== 'on-its-way') continue;
      known.ticket = null;
      known.row = 'unknown';
    }
  }
}

const STEPS: Readonly<Record<Step['do'], (this: Play, call: string, known: Known) => Promise<void>>> = {
  ask: function (call, known) {
    return this.ask(call, known);
  },
  run: function (call, known) {
    return this.dispatch(call, known);
  },
  answer: function (_, known) {
    return this.settle(known, 'answer');
  },
  lose: function (_, known) {
    return this.settle(known, 'lose');
  },
  withdraw: function (_, known) {
    return this.settle(known, 'withdraw');
  },
  approve: function (_, known) {
    return this.decide(known, 'approved');
  },
  deny: function (_, known) {
    return this.decide(known, 'denied');
  },
  applied: function (call, known) {
    return this.settleUnknown(call, known, 'applied');
  },
  'not-applied': function (call, known) {
    return this.settleUnknown(call, known, 'not_applied');
  },
  expire: function (_, known) {
    return this.endApproval(known, 'expire');
  },
  void: function (_, known) {
    return this.endApproval(known, 'void');
  },
  end: function () {
    return this.end();
  },
  later: function () {
    this.later();
    return Promise.resolve();
  },
};

onEveryDatabase('Approvals against a model', (fixture) => {
  let w: World;
  let stores: Store[];
  before(async function () {
    this.timeout(20_000);
    w = await world(fixture);
    stores = [w.store, await w.another()];
  });
  after(() => w.end());

  it('whatever people, clocks, replicas and lost answers do, nothing runs unapproved, twice or in silence', async function () {
    this.timeout(180_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 36 }), async (steps) => {
        w.clock.now = START;
        const by = await heldJob(w.store);
        await w.store.jobs.renew([by], Math.max(LEASE_MS, 100 * DAY_MS));
        const play = new Play(w, stores, by);
        for (const one of steps) await play.run(one);
      }),
      { numRuns: fixture.name === 'sqlite' ? 60 : 12 },
    );
  });
});
