import type { Migration } from './migration.js';

/** The jobs of one conversation, newest first, page by page. */
export const jobsThreadNewest: Migration = {
  name: '0064-jobs-thread-newest',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_thread_newest ON bz_jobs (thread_id, created_at) WHERE thread_id IS NOT NULL',
  mysql: 'CREATE INDEX bz_jobs_thread_newest ON bz_jobs (thread_id, created_at)',
};
