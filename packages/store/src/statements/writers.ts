import { statement } from './statement.js';

/** Registers one chain of the ledger; its number stands in the chain's lines. */
export const insertWriter = statement<[name: string, startedAt: number]>(
  'insert-writer',
  'INSERT INTO bz_audit_writers (name, started_at, named_seq) VALUES (?, ?, 0)',
);

export interface HeadRow {
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  readonly hash: string;
}

/** Heads of the chains that grew since a checkpoint last named them. Parameters: the asking writer, limit. */
export const unnamedHeads = statement<[self: number, limit: number], HeadRow>(
  'unnamed-heads',
  `SELECT w.id, w.name, a.seq, a.hash FROM bz_audit_writers w
   JOIN bz_audit a ON a.writer = w.id AND a.seq = (SELECT MAX(b.seq) FROM bz_audit b WHERE b.writer = w.id)
   WHERE w.id <> ? AND a.seq > w.named_seq ORDER BY w.id LIMIT ?`,
);

export const noteNamed = statement<[seq: number, id: number]>('note-named', 'UPDATE bz_audit_writers SET named_seq = ? WHERE id = ?');

export interface WriterRow {
  readonly id: number;
  readonly name: string;
  /** The line a checkpoint last saw this chain reach; 0 for none. */
  readonly named_seq: number;
}

/** The name as the bytes it is stored in, because the driver of SQLite cuts text at a NUL. */
export const allWriters = statement<[], WriterRow>('all-writers', {
  sqlite: 'SELECT id, CAST(name AS BLOB) AS name, named_seq FROM bz_audit_writers ORDER BY id',
  mysql: 'SELECT id, name, named_seq FROM bz_audit_writers ORDER BY id',
});
