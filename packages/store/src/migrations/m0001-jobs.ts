import { type Migration, TABLE } from './migration.js';

export const jobs: Migration = {
  name: '0001-jobs',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_jobs (
    id TEXT NOT NULL PRIMARY KEY, request_id TEXT NOT NULL, owner TEXT NOT NULL, route TEXT NOT NULL, target TEXT NOT NULL, source TEXT NOT NULL,
    principal_id TEXT, session_id TEXT NOT NULL, is_continue INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, max_attempts INTEGER NOT NULL,
    calls_used INTEGER NOT NULL, calls_reserved INTEGER NOT NULL DEFAULT 0, rerun INTEGER NOT NULL DEFAULT 0, thread_id INTEGER, thread_seq INTEGER, spec_set TEXT, claim TEXT, replica TEXT, executor TEXT, dispatched_at INTEGER, lease_until INTEGER NOT NULL, run_after INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_jobs (
    id VARCHAR(64) NOT NULL PRIMARY KEY, request_id VARCHAR(191) NOT NULL, owner VARCHAR(191) NOT NULL, route VARCHAR(191) NOT NULL,
    target VARCHAR(191) NOT NULL, source VARCHAR(64) NOT NULL, principal_id VARCHAR(191), session_id VARCHAR(191) NOT NULL, is_continue TINYINT NOT NULL,
    status VARCHAR(16) NOT NULL, attempts INT NOT NULL, max_attempts INT NOT NULL, calls_used INT NOT NULL, calls_reserved INT NOT NULL DEFAULT 0, rerun TINYINT NOT NULL DEFAULT 0, thread_id BIGINT, thread_seq BIGINT, spec_set VARCHAR(64), claim VARCHAR(64),
    replica VARCHAR(191), executor VARCHAR(191), dispatched_at BIGINT, lease_until BIGINT NOT NULL, run_after BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    UNIQUE KEY bz_jobs_request (request_id), KEY bz_jobs_queue (status, target, created_at), KEY bz_jobs_lease (status, lease_until),
    KEY bz_jobs_newest (created_at), KEY bz_jobs_owner (owner, created_at), KEY bz_jobs_principal (principal_id, created_at),
    KEY bz_jobs_executor (executor, dispatched_at), KEY bz_jobs_route (route, created_at), KEY bz_jobs_thread (thread_id, status, thread_seq)) ${TABLE}`,
};

export const jobsRequest: Migration = {
  name: '0002-jobs-request',
  sqlite: 'CREATE UNIQUE INDEX IF NOT EXISTS bz_jobs_request ON bz_jobs (request_id)',
  mysql: null,
};

export const jobsQueue: Migration = {
  name: '0003-jobs-queue',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_queue ON bz_jobs (status, target, created_at)',
  mysql: null,
};

export const jobsLease: Migration = {
  name: '0004-jobs-lease',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_lease ON bz_jobs (status, lease_until)',
  mysql: null,
};

export const jobsNewest: Migration = {
  name: '0023-jobs-newest',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_newest ON bz_jobs (created_at)',
  mysql: null,
};

export const jobsOwner: Migration = {
  name: '0024-jobs-owner',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_owner ON bz_jobs (owner, created_at)',
  mysql: null,
};

export const jobsPrincipal: Migration = {
  name: '0025-jobs-principal',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_principal ON bz_jobs (principal_id, created_at) WHERE principal_id IS NOT NULL',
  mysql: null,
};

export const jobsExecutor: Migration = {
  name: '0026-jobs-executor',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_executor ON bz_jobs (executor, dispatched_at) WHERE executor IS NOT NULL',
  mysql: null,
};

export const jobsThread: Migration = {
  name: '0046-jobs-thread',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_thread ON bz_jobs (thread_id, status, thread_seq) WHERE thread_id IS NOT NULL',
  mysql: null,
};

/** Conversations that several jobs belong to (WIRE §2.6). `last_seq` numbers their jobs in the order they were accepted. */
export const threads: Migration = {
  name: '0047-threads',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_threads (
    id INTEGER PRIMARY KEY, route TEXT NOT NULL, scope TEXT NOT NULL, session_id TEXT NOT NULL, last_seq INTEGER NOT NULL, created_at INTEGER NOT NULL,
    UNIQUE (route, scope))`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_threads (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, route VARCHAR(191) NOT NULL, scope VARCHAR(191) NOT NULL, session_id VARCHAR(191) NOT NULL,
    last_seq BIGINT NOT NULL, created_at BIGINT NOT NULL, UNIQUE KEY bz_threads_scope (route, scope)) ${TABLE}`,
};

export const jobsRoute: Migration = {
  name: '0048-jobs-route',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_jobs_route ON bz_jobs (route, created_at)',
  mysql: null,
};
