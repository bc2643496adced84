import { type Migration, TABLE } from './migration.js';

export const stops: Migration = {
  name: '0018-stops',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_stops (what TEXT NOT NULL PRIMARY KEY, set_by TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_stops (what VARCHAR(255) NOT NULL PRIMARY KEY, set_by VARCHAR(191) NOT NULL, at BIGINT NOT NULL) ${TABLE}`,
};

export const toolProviders: Migration = {
  name: '0019-tool-providers',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_tool_providers (
    name TEXT NOT NULL PRIMARY KEY, spec_origin TEXT NOT NULL, spec_json TEXT, spec_refreshed_at INTEGER, spec_access_probe_json TEXT,
    updated_at INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_tool_providers (
    name VARCHAR(191) NOT NULL PRIMARY KEY, spec_origin VARCHAR(191) NOT NULL, spec_json LONGTEXT, spec_refreshed_at BIGINT,
    spec_access_probe_json LONGTEXT, updated_at BIGINT NOT NULL) ${TABLE}`,
};

export const pluginRecords: Migration = {
  name: '0020-plugin-records',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_plugin_records (
    plugin TEXT NOT NULL, record_key TEXT NOT NULL, value TEXT NOT NULL, rev INTEGER NOT NULL, tag TEXT, expires_at INTEGER,
    PRIMARY KEY (plugin, record_key)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_plugin_records (
    plugin VARCHAR(128) NOT NULL, record_key VARCHAR(255) NOT NULL, value LONGTEXT NOT NULL, rev BIGINT NOT NULL, tag VARCHAR(191),
    expires_at BIGINT, PRIMARY KEY (plugin, record_key), KEY bz_plugin_records_tag (plugin, tag, record_key),
    KEY bz_plugin_records_expiry (expires_at)) ${TABLE}`,
};

export const pluginRecordsTag: Migration = {
  name: '0021-plugin-records-tag',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_plugin_records_tag ON bz_plugin_records (plugin, tag, record_key)',
  mysql: null,
};

export const pluginRecordsExpiry: Migration = {
  name: '0022-plugin-records-expiry',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_plugin_records_expiry ON bz_plugin_records (expires_at) WHERE expires_at IS NOT NULL',
  mysql: null,
};
