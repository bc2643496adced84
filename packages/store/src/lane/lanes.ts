import { BailingError } from '@bailing/plugin-api';
import type { Lane } from './lane.js';
import type { Unit } from './unit.js';

/** The lanes of one store. A unit's key decides its lane, so units of one job never run side by side in this process. */
export class Lanes {
  #closed = false;

  constructor(private readonly lanes: readonly Lane[]) {}

  submit<R>(unit: Unit<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new BailingError('BAILING_STORE_UNREACHABLE', { detail: 'The store is closed.' }));
    return this.#laneOf(unit.key).submit(unit);
  }

  ride(unit: Unit<void>, soon: boolean): Promise<boolean> {
    return this.#closed ? Promise.resolve(false) : this.#laneOf(unit.key).ride(unit, soon);
  }

  /** Refuses new units, ends what was submitted, then runs `last` once per lane. */
  async close(last: (lane: number) => Unit<void> | null): Promise<void> {
    this.#closed = true;
    await Promise.all(this.lanes.map((lane) => lane.drain()));
    for (const [index, lane] of this.lanes.entries()) {
      const unit = last(index);
      if (unit) await lane.submit(unit);
    }
  }

  #laneOf(key: string): Lane {
    const lane = this.lanes[this.lanes.length === 1 ? 0 : fnv1a(key) % this.lanes.length];
    if (!lane) throw new RangeError('A store has at least one lane.');
    return lane;
  }
}

/** FNV-1a over code units: spreads keys, promises nothing else. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
