import { type Migration, TABLE } from './migration.js';

/**
 * What was sent to whom, a row per recipient's conversation (WIRE §10.5, §13.2); the message itself stands in the journal under its key. `marker` says
 * who sent it.
 */
export const outbound: Migration = {
  name: '0075-outbound',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_outbound (
    thread_id INTEGER NOT NULL, message_key TEXT NOT NULL, job_id TEXT NOT NULL, marker TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (thread_id, message_key)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_outbound (
    thread_id BIGINT NOT NULL, message_key VARCHAR(64) NOT NULL, job_id VARCHAR(64) NOT NULL, marker VARCHAR(32) NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (thread_id, message_key)) ${TABLE}`,
};
