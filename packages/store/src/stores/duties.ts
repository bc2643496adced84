import type { DutyStore, Ms } from '@bailing/engine/ports';
import { dutyByName } from '../statements/duties.js';
import { holdDutyFor } from '../units/hold-duty.js';
import { type House, read } from './house.js';

export class SqlDutyStore implements DutyStore {
  constructor(
    private readonly house: House,
    private readonly replica: string,
  ) {}

  /** Looks first without a transaction: a duty somebody else holds costs one read, and so does one's own in the first half of its time. */
  async hold(name: string, ms: Ms): Promise<boolean> {
    const [held] = await read(this.house, dutyByName, [name]);
    const left = held ? held.until - this.house.now() : 0;
    if (held && held.holder !== this.replica && left > 0) return false;
    if (held && held.holder === this.replica && left > ms / 2) return true;
    return this.house.lanes.submit(holdDutyFor(name, this.replica, ms));
  }
}
