// `bench calls`: what governance costs a call, against two floors of the same run.
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { compare, warmUp, type Row } from './compare.js';
import { hugeAnswers, type HugeAnswer } from './huge-answer.js';
import { manyTools, type ManyTools } from './many-tools.js';
import { machine, type Machine } from './machine.js';
import type { Options } from './options.js';
import { profile, type Profile } from './profile.js';
import { ADDED_MS, slowSync } from './slow-sync.js';
import { ownMariadb } from './slow-mariadb.js';
import { SMALL, Stage, type BenchHub } from './stage.js';
import { percentile, short } from './statistics.js';
import { syncTimes } from './sync-probe.js';
import type { Way } from './window.js';

export const CONCURRENT = [1, 8, 32] as const;

export interface Report {
  readonly machine: Machine;
  readonly quick: boolean;
  /** Of the folder the SQLite file lies in, and of the same folder seen from the hub whose syncs are slower. */
  readonly fdatasyncP50Ms: { readonly disk: number; slowed: number | null };
  readonly rows: readonly Row[];
  readonly slowSyncRows: readonly Row[];
  readonly manyTools: ManyTools | null;
  readonly hugeAnswers: readonly HugeAnswer[];
  readonly profiles: readonly Profile[];
  readonly skipped: readonly string[];
}

/** Told what goes on, for people who wait. */
export type Say = (text: string) => void;

/** @throws Error when a call fails, an effect was lost or doubled, or `signal` aborts; everything started is stopped first */
export async function benchCalls(options: Options, say: Say, signal: AbortSignal): Promise<Report> {
  const stage = await Stage.open();
  signal.addEventListener('abort', () => stage.interrupt());
  const run = new Run(stage, options, say);
  try {
    return await run.all();
  } finally {
    await run.close();
    await stage.close();
  }
}

class Run {
  private readonly fresh: { drop(): Promise<void> }[] = [];
  private readonly skipped: string[] = [];
  private slowed: number | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly options: Options,
    private readonly say: Say,
  ) {}

  async all(): Promise<Report> {
    const { stage, options } = this;
    const { parts } = options;
    const here = machine(stage.folder);
    const disk = short(percentile(syncTimes(stage.folder, 300), 0.5));
    const rows = parts.has('calls') || parts.has('profile') ? await this.calls() : { rows: [], profiles: [] };
    const slowSyncRows = parts.has('slow-sync') ? await this.slowSync() : [];
    if (parts.has('many-tools')) this.say('2 tools against 2,000 …');
    const many = parts.has('many-tools') ? await manyTools(stage, options.effort) : null;
    if (parts.has('huge-answer')) this.say('answers of 400 MiB …');
    const huge = parts.has('huge-answer') ? await hugeAnswers(stage) : [];
    const fdatasyncP50Ms = { disk, slowed: this.slowed };
    const { quick } = options;
    return {
      machine: here,
      quick,
      fdatasyncP50Ms,
      ...rows,
      slowSyncRows,
      manyTools: many,
      hugeAnswers: huge,
      profiles: rows.profiles,
      skipped: this.skipped,
    };
  }

  async close(): Promise<void> {
    for (const one of this.fresh.reverse()) await one.drop();
  }

  private async calls(): Promise<{ rows: Row[]; profiles: Profile[] }> {
    const { stage, options } = this;
    const hubs = [...(await this.hubs())];
    const ways = [stage.direct, stage.proxy, ...hubs.map(({ way }) => way)];
    const rows = options.parts.has('calls') ? await this.table(ways, CONCURRENT) : [];
    const profiles: Profile[] = [];
    if (options.parts.has('profile') && hubs[0]) {
      this.say('profiles …');
      const [{ hub, way }] = hubs as [{ hub: BenchHub; way: Way }];
      if (rows.length === 0) await warmUp(stage.range, [way], options.effort);
      for (const operation of ['read', 'write'] as const) profiles.push(await profile(stage.range, hub, way, operation, options.effort));
    }
    for (const { hub } of hubs) await hub.stop();
    return { rows, profiles };
  }

  /** One hub on SQLite, one on MariaDB where there is a server. */
  private async hubs(): Promise<{ hub: BenchHub; way: Way }[]> {
    const fixtures = await databases();
    if (fixtures.length === 1) this.skipped.push('MariaDB: no server can be reached (BAILING_TEST_MYSQL_URL names one).');
    const hubs = [];
    for (const fixture of fixtures) {
      const name = fixture.name === 'mysql' ? 'MariaDB' : 'SQLite';
      const database: FreshDatabase = await fixture.create();
      this.fresh.push(database);
      const hub = await this.stage.hub({ name, database: database.url, routes: [SMALL], databaseServer: name === 'MariaDB' });
      hubs.push({ hub, way: hub.way(`hub on ${name}`, SMALL.name) });
    }
    return hubs;
  }

  private async table(ways: readonly Way[], concurrent: readonly number[]): Promise<Row[]> {
    const { range } = this.stage;
    this.say('warming up …');
    await warmUp(range, ways, this.options.effort);
    const rows: Row[] = [];
    for (const operation of ['read', 'write'] as const) {
      for (const many of concurrent) {
        this.say(`${operation}s, ${String(many)} at once, by ${ways.map(({ name }) => name).join(', ')} …`);
        rows.push(...(await compare(range, ways, operation, many, this.options.effort)));
      }
    }
    return rows;
  }

  /** The same once more, with syncs that take 2 ms longer in the process that owns the database file. */
  private async slowSync(): Promise<Row[]> {
    const { stage } = this;
    const slow = slowSync(stage.folder);
    if (slow.is === 'skipped') {
      this.skipped.push(`${String(ADDED_MS)} ms added to each sync: ${slow.why}.`);
      return [];
    }
    const sqlite = await stage.hub({ name: 'slow-sqlite', database: `sqlite:${stage.file('slow.db')}`, routes: [SMALL], env: slow.env });
    const { party } = sqlite;
    this.slowed = short(percentile(await party.ask<number[]>('sync-times', { folder: stage.folder, count: 100 }), 0.5));
    const hubs = [{ hub: sqlite, way: sqlite.way(`hub on SQLite, +${String(ADDED_MS)} ms`, SMALL.name) }];
    const server = await ownMariadb(stage, slow.env);
    if (server.is === 'skipped') this.skipped.push(`MariaDB with ${String(ADDED_MS)} ms added to each sync: ${server.why}.`);
    else {
      this.fresh.push({ drop: () => server.stop() });
      const hub = await stage.hub({ name: 'slow-mariadb', database: server.url, routes: [SMALL] });
      hubs.push({ hub, way: hub.way(`hub on MariaDB, +${String(ADDED_MS)} ms`, SMALL.name) });
    }
    const rows = await this.table([stage.proxy, ...hubs.map(({ way }) => way)], this.options.quick ? [32] : CONCURRENT);
    for (const { hub } of hubs) await hub.stop();
    return rows;
  }
}
