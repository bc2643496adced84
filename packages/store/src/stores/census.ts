import type { Census } from '@bailing/engine/ports';
import { countHeld, countOutbox, countPending, countQueued, countUnresolved } from '../statements/census.js';
import { type House, read } from './house.js';

/** Five bounded reads; nothing is written. */
export async function census(house: House): Promise<Census> {
  const [queued, held, unresolved, pending, outbox] = await Promise.all([
    read(house, countQueued, []),
    read(house, countHeld, [house.now()]),
    read(house, countUnresolved, []),
    read(house, countPending, []),
    read(house, countOutbox, []),
  ]);
  const waiting = outbox.find(({ state }) => state === 'waiting');
  return {
    queued: { count: number(queued[0]?.n), oldestAt: queued[0]?.oldest ?? null },
    held: { count: number(held[0]?.n), expired: number(held[0]?.expired) },
    unresolved: unresolved.map(({ state, n, oldest }) => ({ state, count: number(n), oldestAt: oldest ?? null })),
    approvals: { pending: number(pending[0]?.n), oldestAt: pending[0]?.oldest ?? null },
    outbox: {
      waiting: number(waiting?.n),
      nextAt: waiting?.oldest ?? null,
      dead: number(outbox.find(({ state }) => state === 'dead')?.n),
    },
  };
}

/** MySQL sums are decimals, which come as text. */
function number(value: unknown): number {
  return Number(value ?? 0);
}
