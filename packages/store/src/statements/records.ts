import { statement } from './statement.js';

export interface RecordRow {
  readonly record_key: string;
  readonly value: string;
  readonly rev: number;
}

/** A record past its time is not there. */
export const recordByKey = statement<[plugin: string, key: string, now: number], RecordRow>(
  'record-by-key',
  `SELECT record_key, value, rev FROM bz_plugin_records WHERE plugin = ? AND record_key = ? AND (expires_at IS NULL OR expires_at > ?)`,
);

/** The revision under a key, expired or not, locked for the put that follows. */
export const recordRevision = statement<[plugin: string, key: string], { readonly rev: number; readonly expires_at: number | null }>(
  'record-revision',
  {
    sqlite: 'SELECT rev, expires_at FROM bz_plugin_records WHERE plugin = ? AND record_key = ?',
    mysql: 'SELECT rev, expires_at FROM bz_plugin_records WHERE plugin = ? AND record_key = ? FOR UPDATE',
  },
);

export const insertRecord = statement<
  [plugin: string, key: string, value: string, rev: number, tag: string | null, expiresAt: number | null]
>('insert-record', 'INSERT INTO bz_plugin_records (plugin, record_key, value, rev, tag, expires_at) VALUES (?, ?, ?, ?, ?, ?)');

export const updateRecord = statement<
  [value: string, rev: number, tag: string | null, expiresAt: number | null, plugin: string, key: string, was: number]
>(
  'update-record',
  'UPDATE bz_plugin_records SET value = ?, rev = ?, tag = ?, expires_at = ? WHERE plugin = ? AND record_key = ? AND rev = ?',
);

export const recordsByTag = statement<[plugin: string, tag: string, after: string, now: number, limit: number], RecordRow>(
  'records-by-tag',
  `SELECT record_key, value, rev FROM bz_plugin_records
   WHERE plugin = ? AND tag = ? AND record_key > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY record_key LIMIT ?`,
);

export const dropRecord = statement<[plugin: string, key: string]>(
  'drop-record',
  'DELETE FROM bz_plugin_records WHERE plugin = ? AND record_key = ?',
);

export const anyExpiredRecord = statement<[upTo: number], { readonly found: number }>(
  'any-expired-record',
  'SELECT 1 AS found FROM bz_plugin_records WHERE expires_at <= ? LIMIT 1',
);

/** Housekeeping: what expired is removed in bounded steps. */
export const pruneRecords = statement<[upTo: number]>('prune-records', {
  sqlite: `DELETE FROM bz_plugin_records WHERE (plugin, record_key) IN
    (SELECT plugin, record_key FROM bz_plugin_records WHERE expires_at <= ? LIMIT 500)`,
  mysql: 'DELETE FROM bz_plugin_records WHERE expires_at <= ? LIMIT 500',
});
