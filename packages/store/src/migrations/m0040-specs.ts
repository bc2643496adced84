import { type Migration, TABLE } from './migration.js';

/** Texts that revisions were compiled from, by the hash of all that went into them: written once, never changed. */
export const specRevisions: Migration = {
  name: '0040-spec-revisions',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_spec_revisions (
    id TEXT NOT NULL PRIMARY KEY, provider TEXT NOT NULL, document TEXT NOT NULL, overlay TEXT, kept_at INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_spec_revisions (
    id VARCHAR(64) NOT NULL PRIMARY KEY, provider VARCHAR(191) NOT NULL, document LONGTEXT NOT NULL, overlay LONGTEXT, kept_at BIGINT NOT NULL,
    KEY bz_spec_revisions_kept (kept_at)) ${TABLE}`,
};

export const specRevisionsKept: Migration = {
  name: '0041-spec-revisions-kept',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_spec_revisions_kept ON bz_spec_revisions (kept_at)',
  mysql: null,
};

/** What all replicas agree on about a provider's tools: which revision is current, and since which change. */
export const specState: Migration = {
  name: '0042-spec-state',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_spec_state (
    provider TEXT NOT NULL PRIMARY KEY, rev INTEGER NOT NULL, revision TEXT, origin TEXT NOT NULL, base_url TEXT NOT NULL,
    attempted_at INTEGER NOT NULL, authz_json TEXT) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_spec_state (
    provider VARCHAR(191) NOT NULL PRIMARY KEY, rev BIGINT NOT NULL, revision VARCHAR(64), origin VARCHAR(191) NOT NULL,
    base_url VARCHAR(1024) NOT NULL, attempted_at BIGINT NOT NULL, authz_json TEXT) ${TABLE}`,
};

export const specFrozen: Migration = {
  name: '0043-spec-frozen',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_spec_frozen (
    provider TEXT NOT NULL, tool TEXT NOT NULL, accepted TEXT NOT NULL, facts_json TEXT NOT NULL, since INTEGER NOT NULL,
    PRIMARY KEY (provider, tool)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_spec_frozen (
    provider VARCHAR(191) NOT NULL, tool VARCHAR(191) NOT NULL, accepted VARCHAR(128) NOT NULL, facts_json LONGTEXT NOT NULL, since BIGINT NOT NULL,
    PRIMARY KEY (provider, tool)) ${TABLE}`,
};

/** Sets of revisions (one of each provider) that jobs began with; a job carries the id of its set. */
export const specSets: Migration = {
  name: '0044-spec-sets',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_spec_sets (id TEXT NOT NULL PRIMARY KEY, members TEXT NOT NULL, kept_at INTEGER NOT NULL) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_spec_sets (id VARCHAR(64) NOT NULL PRIMARY KEY, members LONGTEXT NOT NULL, kept_at BIGINT NOT NULL) ${TABLE}`,
};
