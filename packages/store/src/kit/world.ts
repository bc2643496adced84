import { randomUUID } from 'node:crypto';
import type { Holder, Intent, Line, NewJob, Store, WriteIntent } from '@bailing/engine/ports';
import { openStore, type StoreOptions } from '../open-store.js';
import { type DatabaseFixture, databases, type FreshDatabase } from '../testing/index.js';

/** The list is made once: where MySQL is missing, it is said once. */
export const fixtures: readonly DatabaseFixture[] = await databases();

/** A store on a fresh database under a clock that only tests move, with everything it did counted. */
export interface World {
  readonly store: Store;
  readonly database: FreshDatabase;
  readonly clock: { now: number };
  readonly commits: (readonly string[])[];
  readonly statements: string[];
  /** Another process on the same database. */
  another(options?: Partial<StoreOptions>): Promise<Store>;
  /** Forgets what was counted so far. */
  forget(): void;
  end(): Promise<void>;
}

/** Emptied databases, used again by the next world: making one costs MySQL a second of DDL. */
const pool: { readonly fixture: DatabaseFixture; readonly database: FreshDatabase }[] = [];

after(async () => {
  for (const { database } of pool) await database.drop();
});

async function borrow(fixture: DatabaseFixture): Promise<FreshDatabase> {
  const index = pool.findIndex((one) => one.fixture === fixture);
  return index < 0 ? await fixture.create() : (pool.splice(index, 1)[0]?.database ?? (await fixture.create()));
}

async function giveBack(fixture: DatabaseFixture, database: FreshDatabase): Promise<void> {
  await database.query('DROP TRIGGER IF EXISTS refuse');
  const tables = await database.query(
    fixture.name === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'bz_%'`
      : `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()`,
  );
  for (const { name } of tables) if (name !== 'bz_migrations') await database.query(`DELETE FROM ${String(name)}`);
  pool.push({ fixture, database });
}

export const START = 1_764_500_000_000;
export const LEASE_MS = 60_000;

export async function world(fixture: DatabaseFixture, options: Partial<StoreOptions> = {}): Promise<World> {
  const database = await borrow(fixture);
  const clock = { now: START };
  const commits: (readonly string[])[] = [];
  const statements: string[] = [];
  const opened: Store[] = [];
  const another = async (more: Partial<StoreOptions> = {}): Promise<Store> => {
    const store = await openStore({ url: database.url, replica: `r${String(opened.length + 1)}`, now: () => clock.now, ...more });
    opened.push(store);
    return store;
  };
  const counted = { onCommit: (units: readonly string[]) => commits.push(units), onStatement: (name: string) => statements.push(name) };
  const store = await another({ ...counted, ...options });
  return {
    store,
    database,
    clock,
    commits,
    statements,
    another,
    forget: () => {
      commits.length = 0;
      statements.length = 0;
    },
    end: async () => {
      for (const one of opened) await one.close();
      await giveBack(fixture, database);
    },
  };
}

/** Runs the same cases on every database at hand. */
export function onEveryDatabase(title: string, cases: (fixture: DatabaseFixture) => void): void {
  for (const fixture of fixtures) describe(`${title} (${fixture.name})`, () => cases(fixture));
}

export function line(event: string, job: string, more: Partial<Line> = {}): Line {
  const base = { event, at: START, job, requestId: `request-${job}`, stage: 'tool', severity: 'info' } as const;
  return { ...base, title: `Title of ${event}`, summary: `Summary of ${event}`, detail: '{"n":1}', ...more };
}

export function newJob(more: Partial<NewJob> = {}): NewJob {
  const id = more.id ?? randomUUID();
  const base = { id, requestId: `request-${id}`, owner: 'crm', route: 'refunds', target: 'llm', source: 'api', input: 'refund A-1001' };
  const rest = { metadata: '{}', principalId: null, sessionId: id, isContinue: false, maxAttempts: 3, createdAt: START };
  return { ...base, ...rest, ...more };
}

/** A job accepted and held. Each has a target of its own unless one is named, so that tests do not take each other's jobs. */
export async function heldJob(store: Store, more: Partial<NewJob> = {}): Promise<Holder> {
  const job = newJob({ target: `target-${randomUUID()}`, ...more });
  await store.jobs.accept(job, line('received', job.id), false);
  const [taken] = await store.jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [job.target] });
  if (!taken) throw new Error('The job was not taken.');
  return taken.by;
}

export function readIntent(by: Holder, more: Partial<Intent> = {}): Intent {
  return { by, tool: 'order_get', maxCalls: 100, spends: [], stops: ['hub'], timeoutMs: 10_000, line: line('tool_call', by.job), ...more };
}

/** A write of `refund`; `what` makes it one of several different ones. */
export function writeIntent(by: Holder, what = 'a', more: Partial<WriteIntent> = {}): WriteIntent {
  const key = { job: by.job, tool: 'refund', argsHash: what.repeat(64).slice(0, 64), idem: `k${what}`.repeat(64).slice(0, 64) };
  const call = { scope: 'refund.create', subject: 't1:u1', args: `{"what":"${what}"}`, digest: 'd'.repeat(64), provider: 'orders' };
  return { ...readIntent(by), tool: 'refund', key, ...call, fingerprint: 'f'.repeat(64), ...more };
}

type Having<T, K> = T extends { readonly is: infer I } ? (K extends I ? T : never) : never;

/** Narrows an outcome or fails with what came instead. */
export function expectIs<T extends { readonly is: string }, K extends T['is']>(outcome: T, is: K): Having<T, K> {
  if (outcome.is !== is) throw new Error(`expected ${is}, got ${JSON.stringify(outcome)}`);
  return outcome as Having<T, K>;
}
