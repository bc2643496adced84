import { expect } from 'chai';
import fc from 'fast-check';
import type { Holder, Store, Ticket } from '@bailing/engine/ports';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { MAX_CALLS, Model, RATE, type Settlement, type Step, TIMEOUT_MS, type Tool } from './model.js';
import { fixtures, LEASE_MS, line, newJob, readIntent, START, type World, world, writeIntent } from './world.js';

const job = fc.integer({ min: 0, max: 2 });
const what = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 700, 2_500, TIMEOUT_MS, LEASE_MS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('accept' as const), job }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), max: fc.constantFrom(1, 3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('renew' as const), job }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put-back' as const), job, delayMs: fc.constantFrom(0, 700), count: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finish' as const), job }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), job, rated: fc.boolean() }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('write' as const), job, what, rated: fc.boolean() }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      ticket: fc.nat({ max: 5 }),
      as: fc.constantFrom<Settlement>(200, 200, 422, 429, 'unknown', 'withdraw'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('twice' as const), job, tool: fc.constantFrom<Tool>('read', 'write') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'clear' as const, 'clear' as const, 'counts' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('unresolved' as const, 'used' as const), job }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recorded' as const), job, what }) },
);

/** Plays a sequence on a real store; answers look like the model's. */
class Played {
  readonly #holders = new Map<number, Holder>();
  readonly #tickets: { readonly ticket: Ticket; readonly store: Store; readonly job: number; readonly tool: Tool }[] = [];

  constructor(
    private readonly w: World,
    private readonly stores: readonly Store[],
    private readonly run: string,
    private readonly model: Model,
  ) {}

  async apply(step: Step): Promise<unknown> {
    this.w.clock.now = this.model.now;
    switch (step.do) {
      case 'advance':
        return null;
      case 'accept':
        return await this.#accept(step.job);
      case 'take':
        return await this.#take(step.max);
      case 'renew':
        return (await this.#store(step.job).jobs.renew([this.#by(step.job)], LEASE_MS)).length === 1;
      case 'put-back':
        return await this.#store(step.job).jobs.putBack(
          this.#by(step.job),
          this.w.clock.now + step.delayMs,
          step.count,
          this.#line(step.job),
        );
      case 'finish': {
        const end = { status: 'done', result: null, error: null, usage: null, lines: [this.#line(step.job)] } as const;
        return await this.#store(step.job).jobs.finish(this.#by(step.job), end);
      }
      case 'read':
      case 'write':
        return await this.#intend(step);
      case 'settle':
        return await this.#settle(this.model.ticketIndex(step.ticket), step.as);
      case 'twice':
        return await this.#store(step.job).calls.twiceFailed(this.#id(step.job), step.tool === 'read' ? 'order_get' : 'refund');
      case 'stop':
        return (await this.stores[0]!.stops.set(this.run, 'ann'), null);
      case 'clear':
        return (await this.stores[1]!.stops.clear(this.run), null);
      case 'counts':
        return await this.stores[1]!.jobs.counts();
      case 'unresolved':
        return (await this.#store(step.job).calls.unresolved(this.#id(step.job))).map((row) => `${row.key.argsHash[0] ?? ''} ${row.state}`);
      case 'used':
        return (await this.#store(step.job).jobs.get(this.#id(step.job)))?.callsUsed ?? null;
      case 'recorded':
        return (await this.#store(step.job).calls.recorded(this.#write(step.job, step.what, false).key))?.status ?? null;
    }
  }

  async #accept(job: number): Promise<string> {
    const fresh = newJob({ requestId: `${this.run}-${String(job)}`, id: this.#id(job), target: this.run, createdAt: this.w.clock.now });
    return (await this.#store(job).jobs.accept(fresh, this.#line(job), false)).is;
  }

  async #take(max: number): Promise<unknown> {
    const taken = await this.stores[max % 2]!.jobs.take({ replica: 'r', max, leaseMs: LEASE_MS, targets: [this.run] });
    return taken.map((one) => {
      const job = Number(one.job.id.split('-').at(-1));
      this.#holders.set(job, one.by);
      return { job, recovered: one.recovered, attempts: one.job.attempts, open: one.open.length };
    });
  }

  async #intend(step: Extract<Step, { do: 'read' | 'write' }>): Promise<string> {
    const { job, rated } = step;
    const store = this.#store(job);
    const common = {
      maxCalls: MAX_CALLS,
      stops: [this.run],
      spends: rated ? [{ bucket: this.run, ...RATE, cost: 1 }] : [],
      timeoutMs: TIMEOUT_MS,
    };
    const ended =
      step.do === 'read'
        ? await store.calls.intendRead(readIntent(this.#by(job), common))
        : await store.calls.intendWrite({ ...this.#write(job, step.what, rated), ...common });
    if (ended.is === 'go') {
      this.#tickets.push({ ticket: ended.ticket, store, job, tool: step.do });
      return `go ${String(ended.ticket.signAt)}`;
    }
    if (ended.is === 'replay') return `replay ${String(ended.was.status)}`;
    if (ended.is === 'budget') return `budget ${String(ended.used)}`;
    return ended.is === 'rate' ? `rate ${String(ended.retryInMs)}` : ended.is;
  }

  async #settle(index: number, as: Settlement): Promise<unknown> {
    const found = this.#tickets[index];
    if (!found) return null;
    const { ticket, store, job, tool } = found;
    if (as === 'withdraw') return await store.calls.withdraw(ticket, this.#line(job));
    if (tool === 'read') {
      store.calls.settleRead(ticket, as !== 200, this.#line(job));
      return null;
    }
    if (as === 'unknown') return await store.calls.unknown(ticket, 'timeout', this.#line(job));
    return await store.calls.settleWrite(ticket, { ok: as === 200, status: as, text: '' }, this.#line(job));
  }

  #write(job: number, what: number, _rated: boolean) {
    return writeIntent(this.#by(job), String(what));
  }

  /** Calls of one job go through one process, as they do under a lease; jobs are taken by either. */
  #store(job: number): Store {
    return this.stores[job % this.stores.length]!;
  }

  #by(job: number): Holder {
    return this.#holders.get(job) ?? { job: this.#id(job), claim: 'none', replica: 'r' };
  }

  #id(job: number): string {
    return `${this.run}-${String(job)}`;
  }

  #line(job: number) {
    return line('x', this.#id(job), { at: this.w.clock.now });
  }
}

describe('Any sequence of jobs, calls, limits and lost leases', function () {
  this.timeout(60_000);
  const worlds: { readonly name: string; readonly w: World; readonly stores: readonly Store[] }[] = [];
  before(async () => {
    for (const fixture of fixtures) {
      const w = await world(fixture);
      worlds.push({ name: fixture.name, w, stores: [w.store, await w.another()] });
    }
  });
  after(async () => {
    for (const { w } of worlds) await w.end();
  });

  it('ends on every database the way the reference model says', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
        runs += 1;
        const said = expected(steps);
        for (const { name, w, stores } of worlds) {
          await empty(w);
          const model = new Model();
          const played = new Played(w, stores, `run${String(runs)}`, model);
          for (const [index, one] of steps.entries()) {
            const answer = await played.apply(one.do === 'advance' ? (model.apply(one), one) : one);
            if (one.do !== 'advance') model.apply(one);
            expect(answer, `${name}, step ${String(index)}: ${JSON.stringify(one)}`).to.deep.equal(said[index]);
          }
        }
      }),
      { numRuns: 15, interruptAfterTimeLimit: 20_000 },
    );
    expect(runs).to.be.at.least(5);
    for (const { stores } of worlds) {
      for (const store of stores) await store.jobs.note([line('end', '-')]);
      expect((await verifyLedger(stores[0]!)).found).to.deep.equal([]);
    }
  });

  it('meets every outcome there is', () => {
    const met = new Set<string>();
    for (const steps of fc.sample(fc.array(step, { minLength: 30, maxLength: 60 }), { numRuns: 400, seed: 7 })) {
      for (const answer of expected(steps)) if (typeof answer === 'string') met.add(answer.split(' ')[0] ?? '');
    }
    const calls = ['go', 'replay', 'in-flight', 'frozen', 'stopped', 'twice-failed', 'lost-lease', 'budget', 'rate'];
    expect([...met]).to.include.members([...calls, 'completed', 'uncertain', 'withdrawn', 'new', 'same', 'queued', 'finished']);
  });

  it('and the model itself lets nothing through twice', () => {
    const model = new Model();
    model.apply({ do: 'accept', job: 0 });
    model.apply({ do: 'take', max: 1 });
    expect(model.apply({ do: 'write', job: 0, what: 1, rated: false })).to.equal(`go ${String(START)}`);
    expect(model.apply({ do: 'write', job: 0, what: 1, rated: false })).to.equal('in-flight');
    model.apply({ do: 'advance', ms: TIMEOUT_MS });
    expect(model.apply({ do: 'write', job: 0, what: 1, rated: false })).to.equal('frozen');
  });
});

function expected(steps: readonly Step[]): readonly unknown[] {
  const model = new Model();
  return steps.map((one) => model.apply(one));
}

/** What earlier runs left would be counted; jobs of other targets are not taken. */
async function empty(w: World): Promise<void> {
  await w.database.query('DELETE FROM bz_jobs');
}
