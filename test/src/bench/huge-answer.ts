// A 400 MiB answer of a business must cost the hub a few MiB (TRAPS 42).
import { Pool } from 'undici';
import { CALLS_PER_JOB } from './hub-config.js';
import { shoot } from './parties/shoot.js';
import type { Party } from './parties/start.js';
import type { Stage } from './stage.js';
import { short } from './statistics.js';
import { invokeShot, type Door } from './traffic.js';

/** The receive budget is 5 MiB; the rest is room for buffers and garbage not collected yet. */
export const HUGE_MOST_MIB = 32;

export interface HugeAnswer {
  /** How the 400 MiB come: with their length told, in chunks, or compressed. */
  readonly form: 'length' | 'chunked' | 'gzip';
  /** What the caller of the invoke gets. */
  readonly answer: string;
  /** Most resident memory above that of the moment before, MiB. Null where the system does not tell. */
  readonly grewMiB: number | null;
  /** One call. */
  readonly seconds: number;
}

const TIMES = 6;
const WARM = 3;

/** Asks for each form a few times until the hub's memory has settled, then watches its high-water mark. */
export async function hugeAnswers(stage: Stage): Promise<HugeAnswer[]> {
  const route = { name: 'exports', document: 'exports' };
  const hub = await stage.hub({ name: 'exports', database: `sqlite:${stage.file('exports.db')}`, routes: [route] });
  const pool = new Pool(hub.party.told.url ?? '');
  const answers: HugeAnswer[] = [];
  for (const form of ['length', 'chunked', 'gzip'] as const) {
    // Every call has a job of its own: a tool that failed twice in a row is off for the rest of a job.
    const doors = await hub.doors.open(route.name, TIMES * CALLS_PER_JOB);
    const ask = async (door: Door): Promise<string> => (await shoot(pool, invokeShot(door, 'export_read', { form }))).body;
    for (const door of doors.slice(0, WARM)) await ask(door);
    answers.push(await watch(hub.party, form, ask, doors.slice(WARM)));
    await hub.doors.finish();
  }
  await pool.destroy();
  await hub.stop();
  return answers;
}

async function watch(
  hub: Party,
  form: HugeAnswer['form'],
  ask: (door: Door) => Promise<string>,
  doors: readonly Door[],
): Promise<HugeAnswer> {
  const told = await hub.ask<boolean>('reset-peak');
  const { rss } = await hub.usage();
  const from = performance.now();
  let answer = '';
  for (const door of doors) answer = await ask(door);
  const seconds = (performance.now() - from) / 1000 / doors.length;
  const peak = told ? await hub.ask<number | null>('peak') : null;
  return { form, answer: answer.slice(0, 200), grewMiB: peak === null ? null : short((peak - rss) / 2 ** 20), seconds: short(seconds) };
}
