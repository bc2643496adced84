import { statement } from './statement.js';

export interface ObjectRecord {
  readonly kind: string;
  readonly name: string;
  readonly doc: string;
  readonly rev: number;
  readonly updated_at: number;
  readonly updated_by: string;
}

export const objectRevision = statement<[], { readonly rev: number }>('object-revision', 'SELECT rev FROM bz_object_revision WHERE id = 1');

export const objectNames = statement<[], { readonly kind: string; readonly name: string }>(
  'object-names',
  'SELECT kind, name FROM bz_objects',
);

export const objectsSince = statement<[rev: number], ObjectRecord>(
  'objects-since',
  'SELECT kind, name, doc, rev, updated_at, updated_by FROM bz_objects WHERE rev > ? ORDER BY rev',
);

export const insertObjectRevision = statement<[rev: number]>(
  'insert-object-revision',
  'INSERT INTO bz_object_revision (id, rev) VALUES (1, ?)',
);

/** One writer moves it; everybody else who looked at the same revision finds nothing to move. */
export const bumpObjectRevision = statement<[next: number, was: number]>(
  'bump-object-revision',
  'UPDATE bz_object_revision SET rev = ? WHERE id = 1 AND rev = ?',
);

const INSERT = 'INSERT INTO bz_objects (kind, name, doc, rev, updated_at, updated_by) VALUES (?, ?, ?, ?, ?, ?)';

export const putObject = statement<[kind: string, name: string, doc: string, rev: number, now: number, by: string]>('put-object', {
  sqlite: `${INSERT} ON CONFLICT (kind, name) DO UPDATE SET doc = excluded.doc, rev = excluded.rev, updated_at = excluded.updated_at,
    updated_by = excluded.updated_by`,
  mysql: `${INSERT} ON DUPLICATE KEY UPDATE doc = VALUES(doc), rev = VALUES(rev), updated_at = VALUES(updated_at), updated_by = VALUES(updated_by)`,
});

export const deleteObject = statement<[kind: string, name: string]>('delete-object', 'DELETE FROM bz_objects WHERE kind = ? AND name = ?');

export const resealObject = statement<[doc: string, kind: string, name: string, rev: number, was: string]>(
  'reseal-object',
  'UPDATE bz_objects SET doc = ? WHERE kind = ? AND name = ? AND rev = ? AND doc = ?',
);
