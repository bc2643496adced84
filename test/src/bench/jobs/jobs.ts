// `bench jobs`: what a hub accepts, works off and hands over, on SQLite and MariaDB, beside floors of the same run.
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { machine, type Machine } from '../machine.js';
import { Stage } from '../stage.js';
import { percentile, short } from '../statistics.js';
import { syncTimes } from '../sync-probe.js';
import { JobsClient } from './client.js';
import { CONCURRENCY, jobsConfig } from './config.js';
import { floors, type Floors } from './floors.js';
import { measure, type Figures, type Size } from './measure.js';

export interface JobsReport {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly fdatasyncP50Ms: number;
  /** Jobs that a hub advances at once. */
  readonly concurrency: number;
  readonly floors: Floors;
  readonly hubs: readonly Figures[];
  readonly skipped: readonly string[];
}

/** Milliseconds at the median in which a waiting executor has to get its job. */
export const HAND_OVER_MOST_MS = 20;
/** Of one core, for a hub that nobody asks anything. */
export const IDLE_MOST_PERCENT = 2;
/** Memory that a thousand streams may hold to which nothing is written. */
export const STREAMS_MOST_MIB = 32;

/** @throws Error when a job is not accepted, not handed out or not done; everything started is stopped first */
export async function benchJobs(quick: boolean, say: (text: string) => void, signal: AbortSignal): Promise<JobsReport> {
  const size: Size = quick
    ? { jobs: 400, single: 60, streams: 300, idleMs: 10_000 }
    : { jobs: 4_000, single: 500, streams: 1_000, idleMs: 20_000 };
  const stage = await Stage.open();
  signal.addEventListener('abort', () => stage.interrupt());
  const fresh: { name: string; database: FreshDatabase }[] = [];
  try {
    const fixtures = await databases();
    for (const fixture of fixtures) fresh.push({ name: fixture.name === 'mysql' ? 'MariaDB' : 'SQLite', database: await fixture.create() });
    const here = machine(stage.folder);
    const fdatasyncP50Ms = short(percentile(syncTimes(stage.folder, 300), 0.5));
    say('floors …');
    const under = await floors(stage, fresh, size);
    const hubs: Figures[] = [];
    for (const { name, database } of fresh) {
      say(`a hub on ${name} …`);
      hubs.push(await oneHub(stage, name, database, size));
    }
    const skipped = fixtures.length === 1 ? ['MariaDB: no server can be reached (BAILING_TEST_MYSQL_URL names one).'] : [];
    return { machine: here, quick, fdatasyncP50Ms, concurrency: CONCURRENCY, floors: under, hubs, skipped };
  } finally {
    await stage.close();
    for (const { database } of fresh) await database.drop();
  }
}

async function oneHub(stage: Stage, name: string, database: FreshDatabase, size: Size): Promise<Figures> {
  const hub = await stage.plainHub(name, (business) => jobsConfig({ database: database.url, business }));
  const client = new JobsClient(hub.told.url ?? '');
  try {
    return await measure(`hub on ${name}`, client, hub, database, size);
  } finally {
    await client.close();
    await hub.stop();
  }
}

/** Sentences about everything that is worse than it may be. */
export function brokenJobs({ hubs }: Pick<JobsReport, 'hubs'>): string[] {
  return hubs.flatMap(({ hub, handOverMs, idleCpuPercent, mibPerThousandStreams }) => [
    ...over(
      handOverMs.p50,
      HAND_OVER_MOST_MS,
      (is, most) => `A waiting executor of the ${hub} gets its job in ${is} ms at the median; at most ${most}.`,
    ),
    ...over(
      idleCpuPercent,
      IDLE_MOST_PERCENT,
      (is, most) => `The ${hub} takes ${is} % of a core while it has nothing to do; at most ${most}.`,
    ),
    ...over(
      mibPerThousandStreams ?? 0,
      STREAMS_MOST_MIB,
      (is, most) => `A thousand idle streams of the ${hub} hold ${is} MiB; at most ${most}.`,
    ),
  ]);
}

function over(is: number, most: number, says: (is: string, most: string) => string): string[] {
  return is <= most ? [] : [says(String(is), String(most))];
}
