import { listStatement, marks, statement } from './statement.js';

/** MySQL only (SQLite has one writer): the row that serialises spends of one bucket. Locked in key order before any unit of a batch runs. */
export const lockBuckets = listStatement<{ readonly bucket: string }>('lock-buckets', (length) => ({
  sqlite: '',
  mysql: `SELECT bucket FROM bz_rate_buckets WHERE bucket IN (${marks(length)}) ORDER BY bucket FOR UPDATE`,
}));

export const ensureBucket = statement<[bucket: string]>('ensure-bucket', {
  sqlite: '',
  mysql: 'INSERT INTO bz_rate_buckets (bucket) VALUES (?) ON DUPLICATE KEY UPDATE bucket = bucket',
});

/** The row of a bucket without spends; whoever waits for its lock makes it anew. */
export const dropIdleBucket = statement<[bucket: string, bucket: string]>('drop-idle-bucket', {
  sqlite: '',
  mysql: 'DELETE FROM bz_rate_buckets WHERE bucket = ? AND NOT EXISTS (SELECT 1 FROM bz_rate_spends WHERE bucket = ?)',
});
