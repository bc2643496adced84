import type { Line, ObjectChange, ObjectRow, ObjectsSince, ObjectStore } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import { objectNames, objectRevision, objectsSince, type ObjectRecord } from '../statements/objects.js';
import { resealOne, writeObjects } from '../units/objects.js';
import { type House, read, ROUNDS } from './house.js';

export class SqlObjectStore implements ObjectStore {
  constructor(private readonly house: House) {}

  async rev(): Promise<number> {
    const [row] = await read(this.house, objectRevision, []);
    return row?.rev ?? 0;
  }

  /** Three reads are one moment where the revision is the same before and after. */
  async since(rev: number): Promise<ObjectsSince> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await this.rev();
      const names = await read(this.house, objectNames, []);
      const changed = await read(this.house, objectsSince, [rev]);
      if ((await this.rev()) !== before) continue;
      return { rev: before, names: new Set(names.map(({ kind, name }) => `${kind}/${name}`)), changed: changed.map(rowOf) };
    }
    throw new BailingError('BAILING_STORE_BUSY', { detail: 'The configuration kept changing while it was read.' });
  }

  write(rev: number, changes: readonly ObjectChange[], by: string, lines: readonly Line[]): Promise<number | 'moved'> {
    return this.house.lanes.submit(writeObjects({ rev, changes, by, lines }));
  }

  reseal(row: ObjectRow, doc: string): Promise<boolean> {
    return this.house.lanes.submit(resealOne(row, doc));
  }
}

function rowOf({ kind, name, doc, rev, updated_at: updatedAt, updated_by: updatedBy }: ObjectRecord): ObjectRow {
  return { kind, name, doc, rev, updatedAt, updatedBy };
}
