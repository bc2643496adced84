import type { CallResult } from '@bailing/engine';
import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf, Reference, type Expected, type Fate, type ToolName } from './reference.js';
import { FLAGS, LEASE_MS, type ReplicaName, type Rig } from './rig.js';
import type { LookVariant, PayVariant, Spec } from './shop-tools.js';

/** The reference of the job at hand; a new job begins a new one. */
export interface Model {
  now: Reference;
}

type Step = fc.AsyncCommand<Model, Rig>;

/** After every step the journal, the counters and the business say the same as the reference. */
async function check(model: Model, rig: Rig): Promise<void> {
  const { now: reference } = model;
  const store = rig.store('a');
  const { id } = rig.seat.job;
  expect(Object.fromEntries(rig.sent), 'requests at the business').to.deep.equal(Object.fromEntries(reference.dispatched));
  expect((await store.jobs.get(id))?.callsUsed, 'calls counted').to.equal(reference.used);
  const open = new Map((await store.calls.unresolved(id)).map(({ key, state }) => [key.argsHash, state]));
  const expected = [...reference.rows.values()].filter(({ state }) => state !== 'completed').map(({ state }) => state);
  expect([...open.values()].sort(), 'unresolved rows').to.deep.equal(expected.sort());
}

class Call implements Step {
  constructor(
    private readonly replica: ReplicaName,
    private readonly tool: ToolName,
    private readonly amount: number,
    private readonly fate: Fate,
  ) {}

  check = () => true;

  async run(model: Model, rig: Rig): Promise<void> {
    const { now: reference } = model;
    const at = rig.clock.now;
    const expected = reference.expect(this.tool, this.amount, at);
    rig.fate = this.fate;
    const result = await rig.call(this.replica, this.tool, this.amount);
    expect(said(result)).to.deep.equal(wanted(expected, this.fate, reference.writes(this.tool)));
    if (expected.is === 'go') reference.went(this.tool, this.amount, at, this.fate);
    if (expected.is === 'held') reference.asksFor(this.tool, this.amount);
    await check(model, rig);
  }

  toString = () => `${this.replica}: ${this.tool} ${String(this.amount)} (${JSON.stringify(this.fate)})`;
}

/** The same call many times at once through both replicas is one call, and everybody reads the same. */
class Same implements Step {
  constructor(
    private readonly copies: number,
    private readonly amount: number,
    private readonly status: number,
  ) {}

  check = ({ now }: Model) => now.writes('pay');

  async run(model: Model, rig: Rig): Promise<void> {
    const { now: reference } = model;
    const at = rig.clock.now;
    const expected = reference.expect('pay', this.amount, at);
    rig.fate = { is: 'answer', status: this.status };
    const results = await Promise.all(Array.from({ length: this.copies }, (_, i) => rig.call(i % 2 ? 'a' : 'b', 'pay', this.amount)));
    const outcomes = new Set(results.map((result) => JSON.stringify(said(result))));
    expect([...outcomes].slice(1), `everybody is told the same: ${[...outcomes].join(' ')}`).to.deep.equal([]);
    if (expected.is === 'go') {
      reference.went('pay', this.amount, at, rig.fate);
      expect([...outcomes]).to.deep.equal([JSON.stringify({ is: 'answered', status: this.status })]);
    } else expect([...outcomes]).to.deep.equal([JSON.stringify(wanted(expected, rig.fate, true))]);
    if (expected.is === 'held') reference.asksFor('pay', this.amount);
    await check(model, rig);
  }

  toString = () => `${String(this.copies)} times pay ${String(this.amount)} at once (${String(this.status)})`;
}

let fresh = 1_000;

/** Different calls at once take exactly what is left of budget and limit. */
class Different implements Step {
  constructor(private readonly count: number) {}

  check = () => true;

  async run(model: Model, rig: Rig): Promise<void> {
    const { now: reference } = model;
    const at = rig.clock.now;
    const amounts = Array.from({ length: this.count }, () => (fresh += 1));
    const one = reference.expect('pay', amounts[0] ?? 0, at);
    const room = one.is === 'go' ? Math.min(this.count, reference.maxCalls - reference.spent, reference.room('pay', at)) : 0;
    rig.fate = { is: 'answer', status: 200 };
    const results = await Promise.all(amounts.map((amount, i) => rig.call(i % 2 ? 'a' : 'b', 'pay', amount)));
    results.forEach((result, i) => result?.ok && reference.went('pay', amounts[i] ?? 0, at, rig.fate));
    if (one.is === 'held') amounts.forEach((amount, i) => results[i]?.governance && reference.asksFor('pay', amount));
    expect(results.filter((result) => result?.sent).length, 'sent').to.equal(room);
    expect(reference.spent).to.be.at.most(Math.max(reference.maxCalls, reference.spent - room));
    await check(model, rig);
  }

  toString = () => `${String(this.count)} different payments at once`;
}

class Change implements Step {
  constructor(
    private readonly says: string,
    private readonly change: (model: Model, rig: Rig) => void | Promise<void>,
  ) {}

  check = () => true;

  async run(model: Model, rig: Rig): Promise<void> {
    await this.change(model, rig);
    await check(model, rig);
  }

  toString = () => this.says;
}

/** What a result is, without its prose. */
function said(result: CallResult | null): object {
  if (result === null) return { is: 'gone' };
  const { ok, status, code, governance, sent } = result;
  if (governance?.state === 'approval_pending') return { is: 'held', sent };
  if (governance?.state === 'reconciliation_required') return { is: code === 'BAILING_CALL_UNKNOWN' ? 'unknown' : 'frozen', sent };
  if (code !== undefined) return { is: 'refused', code, sent };
  return ok || status > 0 ? { is: 'answered', status } : { is: 'odd', status };
}

/** What the reference makes of it. */
function wanted(expected: Expected, fate: Fate, write: boolean): object {
  switch (expected.is) {
    case 'replay':
      return { is: 'answered', status: expected.status };
    case 'frozen':
    case 'wait':
      return { is: 'frozen', sent: false };
    case 'held':
      return { is: 'held', sent: false };
    case 'refused':
      return { is: 'refused', code: expected.code, sent: false };
    case 'go':
      return attempted(fate, write);
  }
}

function attempted(fate: Fate, write: boolean): object {
  if (fate.is === 'crash') return { is: 'gone' };
  if (fate.is === 'not-sent') return { is: 'refused', code: 'BAILING_CALL_NOT_SENT', sent: false };
  const unknown = fate.is === 'unknown' || (write && [408, 502, 504].includes(fate.status));
  if (!unknown && fate.is === 'answer') return { is: 'answered', status: fate.status };
  return write ? { is: 'unknown', sent: true } : { is: 'refused', code: 'BAILING_CALL_FAILED', sent: true };
}

const replica = fc.constantFrom<ReplicaName>('a', 'b');
const amount = fc.integer({ min: 1, max: 7 });
const status = fc.constantFrom(200, 200, 200, 201, 400, 404, 408, 429, 500, 502, 503, 504);
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: status.map((code): Fate => ({ is: 'answer', status: code })) },
  { weight: 1, arbitrary: fc.constantFrom<Fate>({ is: 'unknown' }, { is: 'not-sent' }, { is: 'crash' }) },
);

function declare(tool: ToolName, variant: PayVariant | LookVariant): Change {
  return new Change(`${tool} is declared ${variant}`, (model, rig) => {
    model.now.today = { ...model.now.today, [tool]: variant };
    rig.declare(model.now.today);
  });
}

function stop(what: string, set: boolean): Change {
  return new Change(`${set ? 'stop' : 'go'} ${what}`, async (model, rig) => {
    await (set ? rig.store('b').stops.set(what, 'operator') : rig.store('a').stops.clear(what));
    if (set) model.now.stops.add(what);
    else model.now.stops.delete(what);
  });
}

function limit(max: number): Change {
  return new Change(`at most ${String(max)} calls`, (model, rig) => {
    model.now.maxCalls = rig.maxCalls = max;
  });
}

function clock(ms: number): Change {
  return new Change(`the clock goes ${String(ms)} ms`, (_, rig) => void (rig.clock.now += ms));
}

function lose(name: ReplicaName): Change {
  return new Change(`${name} is lost and comes back`, (_, rig) => rig.restart(name));
}

function retake(name: ReplicaName): Change {
  return new Change(`${name} takes the job if nobody holds it`, async (model, rig) => {
    const taken = await rig.retake(name);
    expect(taken, 'taken').to.equal(model.now.leaseUntil <= rig.clock.now);
    if (taken) model.now.leaseUntil = rig.clock.now + LEASE_MS;
  });
}

function newJob(): Change {
  return new Change('a new job', async (model, rig) => {
    await rig.newJob();
    const { today, maxCalls, stops, spends } = model.now;
    model.now = begin(today, maxCalls, rig, spends);
    for (const what of stops) model.now.stops.add(what);
  });
}

/** The reference of a job that begins now. */
export function begin(spec: Spec, maxCalls: number, rig: Rig, spends?: Reference['spends']): Reference {
  const reference = new Reference(spec, spec, maxCalls, spends);
  reference.leaseUntil = rig.clock.now + LEASE_MS;
  return reference;
}

const flags = fc.constantFrom(...FLAGS);

/** Everything that can happen around the exit. */
export const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(replica, amount, fate).map(([name, n, f]) => new Call(name, 'pay', n, f)),
  fc.tuple(replica, amount, fate).map(([name, n, f]) => new Call(name, 'pay', n, f)),
  fc.tuple(replica, amount, fate).map(([name, n, f]) => new Call(name, 'look', n, f)),
  fc.tuple(fc.integer({ min: 2, max: 6 }), amount, fc.constantFrom(200, 201, 422)).map(([n, sum, code]) => new Same(n, sum, code)),
  fc.integer({ min: 2, max: 8 }).map((n) => new Different(n)),
  fc.constantFrom<PayVariant>('plain', 'plain', 'held', 'limited', 'narrow', 'readonly', 'gone').map((v) => declare('pay', v)),
  fc.constantFrom<LookVariant>('plain', 'limited', 'gone').map((v) => declare('look', v)),
  fc.tuple(flags, fc.boolean()).map(([what, set]) => stop(what, set)),
  fc.integer({ min: 1, max: 12 }).map(limit),
  fc.constantFrom(1, 400, 1_000, 2_500, 61_000, 700_000, -1_500, -90_000).map(clock),
  replica.map(lose),
  replica.map(retake),
  fc.constant(null).map(newJob),
];

export { keyOf };
