import { type Migration, TABLE } from './migration.js';

/** Configuration objects of every kind (docs/decisions/0004): one table, so that one read is one state and one unit changes several of them. */
export const objects: Migration = {
  name: '0060-objects',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_objects (
    kind TEXT NOT NULL, name TEXT NOT NULL, doc TEXT NOT NULL, rev INTEGER NOT NULL, updated_at INTEGER NOT NULL, updated_by TEXT NOT NULL,
    PRIMARY KEY (kind, name))`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_objects (
    kind VARCHAR(64) NOT NULL, name VARCHAR(191) NOT NULL, doc LONGTEXT NOT NULL, rev BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    updated_by VARCHAR(191) NOT NULL, PRIMARY KEY (kind, name), KEY bz_objects_rev (rev)) ${TABLE}`,
};

export const objectsRev: Migration = {
  name: '0061-objects-rev',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_objects_rev ON bz_objects (rev)',
  mysql: null,
};

/** One row: the revision of all objects together. */
export const objectRevision: Migration = {
  name: '0062-object-revision',
  sqlite: 'CREATE TABLE IF NOT EXISTS bz_object_revision (id INTEGER NOT NULL PRIMARY KEY, rev INTEGER NOT NULL)',
  mysql: `CREATE TABLE IF NOT EXISTS bz_object_revision (id INT NOT NULL PRIMARY KEY, rev BIGINT NOT NULL) ${TABLE}`,
};
