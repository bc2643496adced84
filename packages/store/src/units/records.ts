import type { Ms } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { dropRecord, insertRecord, recordRevision, updateRecord } from '../statements/records.js';
import { change, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';

export interface Put {
  readonly plugin: string;
  readonly key: string;
  readonly value: string;
  readonly ifRev: number | undefined;
  readonly ttlMs: Ms | undefined;
  readonly tag: string | undefined;
}

/** A revision, `moved`, or `again` where another process wrote between the look and the write. */
export type PutAnswer = number | 'moved' | 'again';

/** One commit: compare and set. `ifRev` 0 means that the key must not be there. */
export function putRecord(put: Put): Unit<PutAnswer> {
  const { plugin, key, ifRev } = put;
  return {
    name: 'put-record',
    key: `${plugin}/${key}`,
    *run(tx) {
      const [row] = yield* rows(recordRevision, [plugin, key]);
      const there = row && (row.expires_at === null || row.expires_at > tx.now);
      if (ifRev !== undefined && ifRev !== (there ? row.rev : 0)) return new Undo<PutAnswer>('moved');
      const rev = nextRevision(tx.now, row?.rev ?? 0);
      const written = row ? yield* update(tx, put, rev, row.rev) : yield* create(tx, put, rev);
      return written ? rev : new Undo<PutAnswer>('again');
    },
  };
}

export function dropRecordUnit(plugin: string, key: string): Unit<void> {
  return {
    name: 'drop-record',
    key: `${plugin}/${key}`,
    *run() {
      yield* change(dropRecord, [plugin, key]);
    },
  };
}

/** Grows with time, so that a key dropped and put again does not meet a revision somebody still holds. */
function nextRevision(now: Ms, last: number): number {
  return Math.max(last + 1, now * 1000 + Math.floor(Math.random() * 1000));
}

function expiry(tx: Tx, { ttlMs }: Put): Ms | null {
  return ttlMs === undefined ? null : tx.now + ttlMs;
}

function* update(tx: Tx, put: Put, rev: number, was: number): Steps<boolean> {
  return (yield* change(updateRecord, [put.value, rev, put.tag ?? null, expiry(tx, put), put.plugin, put.key, was])) > 0;
}

function* create(tx: Tx, put: Put, rev: number): Steps<boolean> {
  try {
    yield* change(insertRecord, [put.plugin, put.key, put.value, rev, put.tag ?? null, expiry(tx, put)]);
    return true;
  } catch (error) {
    if (isFault(error, 'duplicate')) return false;
    throw error;
  }
}
