import { type Migration, TABLE } from './migration.js';

/** Where the model loop of a job that has not ended stands; the row goes with the end of the job. */
export const jobRounds: Migration = {
  name: '0050-job-rounds',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_job_rounds (job_id TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL, saved_at INTEGER NOT NULL) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_job_rounds (
    job_id VARCHAR(64) NOT NULL PRIMARY KEY, state LONGTEXT NOT NULL, saved_at BIGINT NOT NULL) ${TABLE}`,
};
