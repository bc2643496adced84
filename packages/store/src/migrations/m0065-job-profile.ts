import type { Migration } from './migration.js';

/** The profile a job was accepted with: its route's, or the one an administrator chose. Empty for jobs that were there before. */
export const jobProfile: Migration = {
  name: '0065-job-profile',
  sqlite: `ALTER TABLE bz_job_texts ADD COLUMN profile TEXT NOT NULL DEFAULT ''`,
  mysql: `ALTER TABLE bz_job_texts ADD COLUMN profile VARCHAR(128) NOT NULL DEFAULT ''`,
};
