import type { SpecProbe } from '@bailing/plugin-api';
import type { SpecRow, SpecStore } from '@bailing/engine/ports';
import { specOf } from '../statements/providers.js';
import { putSpecRow } from '../units/put-spec.js';
import { type House, read } from './house.js';

export class SqlSpecStore implements SpecStore {
  constructor(private readonly house: House) {}

  async get(provider: string): Promise<SpecRow | null> {
    const [row] = await read(this.house, specOf, [provider]);
    if (!row) return null;
    const probe = row.spec_access_probe_json === null ? null : (JSON.parse(row.spec_access_probe_json) as SpecProbe);
    return { provider: row.name, origin: row.spec_origin, document: row.spec_json, refreshedAt: row.spec_refreshed_at, probe };
  }

  put(row: SpecRow): Promise<void> {
    return this.house.lanes.submit(putSpecRow(row));
  }
}
