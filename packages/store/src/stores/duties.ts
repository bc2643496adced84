import type { DutyStore, Ms } from '@bailing/engine/ports';
import { dutyByName } from '../statements/duties.js';
import { holdDutyFor } from '../units/hold-duty.js';
import { type House, read } from './house.js';

export class SqlDutyStore implements DutyStore {
  constructor(
    private readonly house: House,
    private readonly replica: string,
  ) {}

  /** Looks first without a transaction: a duty somebody else holds costs one read. */
  async hold(name: string, ms: Ms): Promise<boolean> {
    const [held] = await read(this.house, dutyByName, [name]);
    if (held && held.holder !== this.replica && held.until > this.house.now()) return false;
    return this.house.lanes.submit(holdDutyFor(name, this.replica, ms));
  }
}
