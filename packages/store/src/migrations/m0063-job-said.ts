import { type Migration, TABLE } from './migration.js';

/** What a user said where it is more than the input of the job: with the words of recordings, which are as good as typed. */
export const jobSaid: Migration = {
  name: '0063-job-said',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_job_said (job_id TEXT NOT NULL PRIMARY KEY, said TEXT NOT NULL, saved_at INTEGER NOT NULL) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_job_said (
    job_id VARCHAR(64) NOT NULL PRIMARY KEY, said LONGTEXT NOT NULL, saved_at BIGINT NOT NULL) ${TABLE}`,
};
