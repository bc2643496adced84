// The load generator: so many calls, so many at once, every answer checked, every latency kept.
import { Pool } from 'undici';
import { argumentsOf, directShot, invokeShot, TOOL, type Door, type Operation, type Shot } from '../traffic.js';
import { answer, ready, settings } from './party.js';
import { shoot } from './shoot.js';

export interface Order {
  readonly url: string;
  readonly operation: Operation;
  readonly concurrent: number;
  readonly calls: number;
  /** First serial number: arguments must differ from all earlier calls. */
  readonly first: number;
  /** Doors to spread the calls over; none means signed calls to the business itself. */
  readonly doors: readonly Door[];
}

export interface Fired {
  readonly seconds: number;
  /** Milliseconds, one per call. */
  readonly latencies: number[];
  readonly failed: number;
  /** The first answer that was not what it should be. */
  readonly sample: string | null;
}

const { secret } = settings<{ secret: string }>();
const pools = new Map<string, Pool>();

function poolOf(url: string, connections: number): Pool {
  const key = `${url} ${String(connections)}`;
  const pool = pools.get(key) ?? new Pool(url, { connections, pipelining: 1, keepAliveTimeout: 60_000 });
  pools.set(key, pool);
  return pool;
}

function shotOf(order: Order, index: number): Shot {
  const serial = order.first + index;
  const door = order.doors[index % order.doors.length];
  if (!door) return directShot(secret, order.operation, serial, 'bench-direct');
  return invokeShot(door, TOOL[order.operation], argumentsOf(order.operation, serial));
}

/** A direct answer is the business's own; a governed one says so in its first member. */
function good({ doors }: Order, status: number, body: string): boolean {
  return (doors.length === 0 ? status === 200 || status === 201 : status === 200) && body.startsWith('{"ok":true');
}

async function fire(order: Order): Promise<Fired> {
  const pool = poolOf(order.url, order.concurrent);
  const latencies: number[] = [];
  let next = 0;
  let failed = 0;
  let sample: string | null = null;
  const worker = async (): Promise<void> => {
    while (next < order.calls) {
      const shot = shotOf(order, next++);
      const from = performance.now();
      const { status, body } = await shoot(pool, shot);
      latencies.push(performance.now() - from);
      if (good(order, status, body)) continue;
      failed += 1;
      sample ??= `${String(status)} ${body.slice(0, 300)}`;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: order.concurrent }, worker));
  return { seconds: (performance.now() - from) / 1000, latencies, failed, sample };
}

answer({ fire }, async () => {
  await Promise.all([...pools.values()].map((pool) => pool.destroy()));
});
ready();
