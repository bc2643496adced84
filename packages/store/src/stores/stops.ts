import { BailingError } from '@bailing/plugin-api';
import type { StopFlag, StopStore } from '@bailing/engine/ports';
import { stopIsSet, stopsSet } from '../statements/stops.js';
import { clearStopFlag, setStopFlag } from '../units/stops.js';
import { type House, read } from './house.js';

const LIST_MAX = 10_000;

export class SqlStopStore implements StopStore {
  constructor(private readonly house: House) {}

  set(what: string, by: string): Promise<void> {
    if (what === '') return Promise.reject(new BailingError('BAILING_REQUEST_MALFORMED', { detail: 'A stop flag needs a name.' }));
    return this.house.lanes.submit(setStopFlag(what, by));
  }

  clear(what: string): Promise<boolean> {
    return this.house.lanes.submit(clearStopFlag(what));
  }

  async list(limit: number): Promise<readonly StopFlag[]> {
    const found = await read(this.house, stopsSet, [Math.max(0, Math.min(Math.trunc(limit), LIST_MAX))]);
    return found.map(({ what, set_by: by, at: since }) => ({ what, by, since }));
  }

  async isSet(what: string): Promise<boolean> {
    return (await read(this.house, stopIsSet, [what])).length > 0;
  }
}
