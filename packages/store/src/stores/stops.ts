import { BailingError } from '@bailing/plugin-api';
import type { StopStore } from '@bailing/engine/ports';
import { stopIsSet } from '../statements/stops.js';
import { clearStopFlag, setStopFlag } from '../units/stops.js';
import { type House, read } from './house.js';

export class SqlStopStore implements StopStore {
  constructor(private readonly house: House) {}

  set(what: string, by: string): Promise<void> {
    if (what === '') return Promise.reject(new BailingError('BAILING_REQUEST_MALFORMED', { detail: 'A stop flag needs a name.' }));
    return this.house.lanes.submit(setStopFlag(what, by));
  }

  clear(what: string): Promise<void> {
    return this.house.lanes.submit(clearStopFlag(what));
  }

  async isSet(what: string): Promise<boolean> {
    return (await read(this.house, stopIsSet, [what])).length > 0;
  }
}
