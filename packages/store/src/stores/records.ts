import { BailingError, type Records } from '@bailing/plugin-api';
import { recordByKey, recordsByTag, type RecordRow } from '../statements/records.js';
import { dropRecordUnit, putRecord } from '../units/records.js';
import { type House, read, ROUNDS } from './house.js';

const BY_TAG_MAX = 1_000;

/** One plugin's records; another plugin's are out of reach. */
export class SqlRecords implements Records {
  constructor(
    private readonly house: House,
    private readonly plugin: string,
  ) {}

  async get(key: string): ReturnType<Records['get']> {
    const [row] = await read(this.house, recordByKey, [this.plugin, key, this.house.now()]);
    return row ? { value: row.value, rev: row.rev } : null;
  }

  async put(key: string, value: string, options: Parameters<Records['put']>[2] = {}): ReturnType<Records['put']> {
    const { ifRev, ttlMs, tag } = options;
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await this.house.lanes.submit(putRecord({ plugin: this.plugin, key, value, ifRev, ttlMs, tag }));
      if (ended !== 'again') return ended;
    }
    throw new BailingError('BAILING_STORE_BUSY', { detail: 'Other processes kept writing the same record.' });
  }

  async byTag(tag: string, after: string, max: number): ReturnType<Records['byTag']> {
    const limit = Math.max(0, Math.min(Math.trunc(max), BY_TAG_MAX));
    const found = await read(this.house, recordsByTag, [this.plugin, tag, after, this.house.now(), limit]);
    return found.map(({ record_key: key, value, rev }: RecordRow) => ({ key, value, rev }));
  }

  drop(key: string): Promise<void> {
    return this.house.lanes.submit(dropRecordUnit(this.plugin, key));
  }
}
