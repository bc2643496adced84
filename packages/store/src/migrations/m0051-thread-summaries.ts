import { type Migration, TABLE } from './migration.js';

/** What stands for the older jobs of a conversation; one per thread and owner. */
export const threadSummaries: Migration = {
  name: '0051-thread-summaries',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_thread_summaries (
    thread_id INTEGER NOT NULL, owner TEXT NOT NULL, upto_seq INTEGER NOT NULL, summary TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (thread_id, owner)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_thread_summaries (
    thread_id BIGINT NOT NULL, owner VARCHAR(191) NOT NULL, upto_seq BIGINT NOT NULL, summary LONGTEXT NOT NULL, updated_at BIGINT NOT NULL,
    PRIMARY KEY (thread_id, owner)) ${TABLE}`,
};
