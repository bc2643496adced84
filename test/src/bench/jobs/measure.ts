// What a hub does with jobs, measured one thing after the other.
import type { FreshDatabase } from '@bailing/store/testing';
import type { Party } from '../parties/start.js';
import { percentile, short } from '../statistics.js';
import { argumentsOf, TOOL } from '../traffic.js';
import type { JobsClient } from './client.js';

export interface Size {
  /** Jobs of one figure. */
  readonly jobs: number;
  /** Jobs and hand-overs measured one at a time. */
  readonly single: number;
  readonly streams: number;
  /** How long a hub with nothing to do is watched. */
  readonly idleMs: number;
}

/** Compiling and the first collections after much work are over by then. */
const REST_MS = 3_000;

export interface Accepting {
  readonly atOnce: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Working {
  readonly what: 'an answer' | 'one read and an answer';
  /** From the first submission to the last end. */
  readonly jobsPerSecond: number;
}

export interface Figures {
  readonly hub: string;
  readonly accepting: readonly Accepting[];
  readonly working: readonly Working[];
  /** From the commit that accepted a job to the one that says its model loop has begun; one job at a time. */
  readonly claimMs: { readonly p50: number; readonly p99: number };
  /** From the request of the backend to the answer of an executor's waiting poll; one job at a time. */
  readonly handOverMs: { readonly p50: number; readonly p99: number };
  /** Growth of resident memory for a thousand streams nobody writes to; null where the system does not tell. */
  readonly mibPerThousandStreams: number | null;
  /** Of one core, while nothing is asked of the hub. */
  readonly idleCpuPercent: number;
}

export async function measure(name: string, client: JobsClient, party: Party, database: FreshDatabase, size: Size): Promise<Figures> {
  await client.submitAll(size.jobs / 4, 16, 'talk');
  await client.idle();
  return {
    hub: name,
    accepting: [await accepting(client, 1, size.single), await accepting(client, 32, size.jobs)],
    working: await working(client, size),
    claimMs: await claims(client, database, size.single),
    handOverMs: await handOvers(client, size.single),
    mibPerThousandStreams: await streams(client, party, size.streams),
    idleCpuPercent: await idle(party, size.idleMs),
  };
}

/** Jobs for an executor that nobody plays, so that nothing but acceptance goes on; then they are claimed and done. */
async function accepting(client: JobsClient, atOnce: number, jobs: number): Promise<Accepting> {
  const from = performance.now();
  const taken = (await client.submitAll(jobs, atOnce, 'hand-over')).sort((a, b) => a - b);
  const seconds = (performance.now() - from) / 1_000;
  await drain(client, jobs);
  return { atOnce, perSecond: short(jobs / seconds), p50Ms: short(percentile(taken, 0.5)), p99Ms: short(percentile(taken, 0.99)) };
}

async function drain(client: JobsClient, jobs: number): Promise<void> {
  let left = jobs;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const job = await client.claim();
      if (!job) throw new Error('A queued job was not handed out.');
      await client.report(job.job_id, job.claim_token);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function working(client: JobsClient, { jobs }: Size): Promise<Working[]> {
  const timed = async (route: string, script: (nth: number) => unknown): Promise<number> => {
    const from = performance.now();
    await client.submitAll(jobs, 32, route, script);
    await client.idle();
    return short(jobs / ((performance.now() - from) / 1_000));
  };
  const read = (nth: number): unknown => [[{ tool: TOOL.read, arguments: argumentsOf('read', nth) }]];
  return [
    { what: 'an answer', jobsPerSecond: await timed('talk', () => []) },
    { what: 'one read and an answer', jobsPerSecond: await timed('call', read) },
  ];
}

async function claims(client: JobsClient, database: FreshDatabase, count: number): Promise<Figures['claimMs']> {
  const jobs: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { job } = await client.submit('talk');
    jobs.push(job);
    while ((await client.status(job)) !== 'done') await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const list = jobs.map((job) => `'${job}'`).join(', ');
  const rows = await database.query(
    `SELECT job_id, MAX(CASE WHEN event = 'started' THEN ts END) - MIN(CASE WHEN event = 'received' THEN ts END) AS ms
     FROM bz_audit WHERE job_id IN (${list}) GROUP BY job_id`,
  );
  return percentiles(rows.map(({ ms }) => Number(ms)));
}

async function handOvers(client: JobsClient, count: number): Promise<Figures['handOverMs']> {
  const taken: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const waiting = client.claim().then((job) => ({ job, at: performance.now() }));
    // The poll has to stand before the job comes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const from = performance.now();
    await client.submit('hand-over');
    const { job, at } = await waiting;
    if (!job) throw new Error('A waiting executor got nothing.');
    taken.push(at - from);
    await client.report(job.job_id, job.claim_token);
  }
  return percentiles(taken);
}

async function streams(client: JobsClient, party: Party, count: number): Promise<number | null> {
  const { job } = await client.submit('hand-over');
  const warm = await client.streams(job, 50);
  warm();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const before = (await party.usage()).rss;
  const close = await client.streams(job, count);
  const after = (await party.usage()).rss;
  close();
  await drain(client, 1);
  const grown = ((after - before) / count) * 1_000;
  return short(Math.max(0, grown) / 2 ** 20);
}

async function idle(party: Party, ms: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const [from, before] = [performance.now(), (await party.usage()).cpuMs];
  await new Promise((resolve) => setTimeout(resolve, ms));
  return short((((await party.usage()).cpuMs - before) / (performance.now() - from)) * 100);
}

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: short(percentile(sorted, 0.5)), p99: short(percentile(sorted, 0.99)) };
}
