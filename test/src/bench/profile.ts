// Where the hub's time goes: the V8 profiler of the hub process while one kind of call runs.
import fs from 'node:fs';
import type { Profiler } from 'node:inspector';
import path from 'node:path';
import type { Effort } from './compare.js';
import { root } from '../support/root.js';
import type { BenchHub } from './stage.js';
import { short } from './statistics.js';
import type { Operation } from './traffic.js';
import type { Range, Way } from './window.js';

export interface Hot {
  /** Function, file from the project's root, line. */
  readonly where: string;
  /** Share of the time the process was not idle, percent. */
  readonly selfPercent: number;
}

export interface Profile {
  readonly operation: Operation;
  readonly idlePercent: number;
  readonly functions: readonly Hot[];
  readonly rooms: readonly Hot[];
}

/**
 * Profiles one window at 32 concurrent and keeps the raw profile beside the report, for a browser's developer tools. The profiler itself costs
 * some, and it samples by the clock: on a busy machine waiting for a turn looks like work. Shares count, rates do not.
 */
export async function profile(range: Range, hub: BenchHub, way: Way, operation: Operation, effort: Effort): Promise<Profile> {
  await range.measure(way, operation, 32, effort.warm);
  const doors = await way.doors(effort.warm);
  await hub.party.ask('profile-start');
  await range.measure({ ...way, doors: () => Promise.resolve(doors) }, operation, 32, effort.warm);
  const taken = await hub.party.ask<Profiler.Profile>('profile-stop');
  const folder = path.join(root, '.reports');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `bench-${operation}.cpuprofile`), JSON.stringify(taken));
  return { operation, ...shares(taken) };
}

/** Self time by function and by room. */
export function shares(taken: Profiler.Profile): Omit<Profile, 'operation'> {
  const frames = new Map(taken.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const rooms = new Map<string, number>();
  let idle = 0;
  let all = 0;
  taken.samples?.forEach((id, index) => {
    const micros = Math.max(0, taken.timeDeltas?.[index] ?? 0);
    const frame = frames.get(id);
    all += micros;
    if (!frame || frame.functionName === '(idle)') return void (idle += micros);
    if (isProfiler(frame)) return void (all -= micros);
    const file = shortFile(frame.url);
    const name = `${frame.functionName || '(anonymous)'} ${file}${file === '' ? '' : `:${String(frame.lineNumber + 1)}`}`.trim();
    add(functions, name, micros);
    add(rooms, roomOf(file, frame.functionName), micros);
  });
  const busy = all - idle;
  const top = (map: ReadonlyMap<string, number>, count: number): Hot[] =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([where, micros]) => ({ where, selfPercent: short((micros / busy) * 100) }));
  return { idlePercent: short((idle / all) * 100), functions: top(functions, 30), rooms: top(rooms, 30) };
}

/** Starting and stopping the profiler shows in its own profile. */
function isProfiler({ functionName, url }: { readonly functionName: string; readonly url: string }): boolean {
  return url === '' && functionName === 'dispatch';
}

function add(map: Map<string, number>, key: string, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value);
}

function shortFile(url: string): string {
  return url.replace(`file://${root}/`, '').replace(`${root}/`, '');
}

/** `packages/store`, `node_modules/koa`, `node:http`, or what V8 calls it. */
function roomOf(file: string, name: string): string {
  if (file === '') return name.startsWith('(') ? name : `built-in ${name}`;
  const library = /node_modules\/(@[^/]+\/[^/]+|[^/]+)(?!.*node_modules\/)/.exec(file)?.[1];
  if (library !== undefined) return `node_modules/${library}`;
  return file.startsWith('node:') ? (file.split('/')[0] ?? file) : file.split('/').slice(0, 2).join('/');
}
