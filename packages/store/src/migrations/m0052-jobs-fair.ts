import type { Migration } from './migration.js';

/** Who has jobs waiting at a target, and the one of each that has been due longest: each is one step into this index. */
export const jobsFair: Migration = {
  name: '0052-jobs-fair',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_fair ON bz_jobs (status, target, owner, run_after)',
  mysql: 'CREATE INDEX bz_jobs_fair ON bz_jobs (status, target, owner, run_after)',
};
