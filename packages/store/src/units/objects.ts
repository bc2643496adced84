import type { Line, ObjectChange, ObjectRow } from '@bailing/engine/ports';
import { append } from '../ledger/append.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import { bumpObjectRevision, deleteObject, insertObjectRevision, putObject, resealObject } from '../statements/objects.js';
import { inserted } from './publish-spec.js';

export interface ObjectsWrite {
  readonly rev: number;
  readonly changes: readonly ObjectChange[];
  readonly by: string;
  readonly lines: readonly Line[];
}

/** One commit: objects, evidence and the next revision; or somebody changed something since `rev`. */
export function writeObjects({ rev, changes, by, lines }: ObjectsWrite): Unit<number | 'moved'> {
  const next = rev + 1;
  return {
    name: 'write-objects',
    key: 'objects',
    *run(tx) {
      const moved = rev === 0 ? yield* inserted(insertObjectRevision, [next]) : (yield* change(bumpObjectRevision, [next, rev])) > 0;
      if (!moved) return new Undo<'moved'>('moved');
      for (const { kind, name, doc } of changes) {
        if (doc === null) yield* change(deleteObject, [kind, name]);
        else yield* change(putObject, [kind, name, doc, next, tx.now, by]);
      }
      for (const line of lines) yield* append(tx, line);
      return next;
    },
  };
}

/** One commit: the same object under another seal. */
export function resealOne({ kind, name, rev, doc }: ObjectRow, sealed: string): Unit<boolean> {
  return {
    name: 'reseal-object',
    key: 'objects',
    *run() {
      return (yield* change(resealObject, [sealed, kind, name, rev, doc])) > 0;
    },
  };
}
