import { type Migration, TABLE } from './migration.js';

/** Sliding windows: each spend with the running total of its bucket. */
export const rateSpends: Migration = {
  name: '0016-rate-spends',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_rate_spends (
    bucket TEXT NOT NULL, at INTEGER NOT NULL, cum INTEGER NOT NULL, cost INTEGER NOT NULL, PRIMARY KEY (bucket, at, cum)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_rate_spends (
    bucket VARCHAR(255) NOT NULL, at BIGINT NOT NULL, cum BIGINT NOT NULL, cost BIGINT NOT NULL, PRIMARY KEY (bucket, at, cum)) ${TABLE}`,
};

/** SQLite has one writer and needs no row to lock. */
export const rateBuckets: Migration = {
  name: '0017-rate-buckets',
  sqlite: null,
  mysql: `CREATE TABLE IF NOT EXISTS bz_rate_buckets (bucket VARCHAR(255) NOT NULL PRIMARY KEY) ${TABLE}`,
};
