// `bench size`: what one hub holds of memory and connections, and how the database grows, on SQLite and MariaDB. No times, so a busy machine does not matter.
import { databases, type DatabaseFixture, type FreshDatabase } from '@bailing/store/testing';
import { JobsClient } from '../jobs/client.js';
import { jobsConfig } from '../jobs/config.js';
import { machine, type Machine } from '../machine.js';
import type { Party } from '../parties/start.js';
import { Stage } from '../stage.js';
import { short } from '../statistics.js';
import { argumentsOf, TOOL, type Operation } from '../traffic.js';
import { contents, growth, type TableGrowth } from './contents.js';

export interface HubSize {
  readonly database: string;
  readonly idleMiB: number;
  /** The highest while jobs are submitted, 32 at once, and worked off; null where the system does not tell. */
  readonly busyMiB: number | null;
  /** Connections to a database server; null on SQLite. */
  readonly connections: number | null;
  readonly bytesPerJob: number;
  readonly bytesPerRead: number;
  readonly bytesPerWrite: number;
  /** What a job with one write adds, table by table, the largest first; where the database tells. */
  readonly tables: readonly TableGrowth[];
}

export interface SizeReport {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly jobs: number;
  readonly hubs: readonly HubSize[];
  readonly skipped: readonly string[];
}

const CALLS = 4;
const REST_MS = 3_000;
const AT_ONCE = 32;

/** @throws Error when a job is not accepted; everything started is stopped first */
export async function benchSize(quick: boolean, say: (text: string) => void, signal: AbortSignal): Promise<SizeReport> {
  const jobs = quick ? 400 : 3_000;
  const stage = await Stage.open();
  signal.addEventListener('abort', () => stage.interrupt());
  try {
    const fixtures = await databases();
    const hubs: HubSize[] = [];
    for (const fixture of fixtures) {
      say(`a hub on ${nameOf(fixture)} …`);
      hubs.push(await oneHub(stage, fixture, jobs));
    }
    const skipped = fixtures.length === 1 ? ['MariaDB: no server can be reached (BAILING_TEST_MYSQL_URL names one).'] : [];
    return { machine: machine(stage.folder), quick, jobs, hubs, skipped };
  } finally {
    await stage.close();
  }
}

const nameOf = ({ name }: DatabaseFixture) => (name === 'mysql' ? 'MariaDB' : 'SQLite');

async function oneHub(stage: Stage, fixture: DatabaseFixture, jobs: number): Promise<HubSize> {
  const database = await fixture.create();
  const hub = await stage.plainHub(`size-${fixture.name}`, (business) => jobsConfig({ database: database.url, business }));
  const client = new JobsClient(hub.told.url ?? '');
  try {
    return { database: nameOf(fixture), ...(await measured(fixture, database, hub, client, jobs)) };
  } finally {
    await client.close();
    await hub.stop();
    await database.drop();
  }
}

async function measured(fixture: DatabaseFixture, database: FreshDatabase, hub: Party, client: JobsClient, jobs: number) {
  await client.submit('talk');
  await client.idle();
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const idleMiB = mib((await hub.usage()).rss);
  const told = await hub.ask<boolean>('reset-peak');
  const steps = [await contents(fixture.name, database)];
  for (const script of [() => [], calls('read', CALLS), calls('write', CALLS), calls('write', 1)]) {
    await client.submitAll(jobs, AT_ONCE, 'call', script);
    await client.idle();
    // Reads are settled with the next commit; a job more brings the last of them.
    await client.submit('call');
    await client.idle();
    steps.push(await contents(fixture.name, database));
  }
  const [empty, answered, read, written, one] = steps;
  if (!empty || !answered || !read || !written || !one) throw new Error('a step is missing');
  const added = [answered.bytes - empty.bytes, read.bytes - answered.bytes, written.bytes - read.bytes].map((bytes) => bytes / jobs);
  const [job = 0, withReads = 0, withWrites = 0] = added;
  const peak = told ? await hub.ask<number | null>('peak') : null;
  return {
    idleMiB,
    busyMiB: peak === null ? null : mib(peak),
    connections: fixture.name === 'mysql' ? await connections(database) : null,
    bytesPerJob: Math.round(job),
    bytesPerRead: Math.round((withReads - job) / CALLS),
    bytesPerWrite: Math.round((withWrites - job) / CALLS),
    tables: growth(written, one, jobs),
  };
}

let serial = 0;

/** A script of so many calls in one turn, none like another. */
function calls(operation: Operation, count: number): () => unknown {
  return () => [Array.from({ length: count }, () => ({ tool: TOOL[operation], arguments: argumentsOf(operation, (serial += 1)) }))];
}

async function connections(database: FreshDatabase): Promise<number> {
  const sql = 'SELECT COUNT(*) AS found FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()';
  return Number((await database.query(sql))[0]?.['found']);
}

const mib = (bytes: number) => short(bytes / 2 ** 20);
