import { type Migration, TABLE } from './migration.js';

/** The frozen questions (WIRE §9.1) with their full arguments. */
export const toolApprovals: Migration = {
  name: '0010-tool-approvals',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_tool_approvals (
    id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, request_id TEXT NOT NULL, provider TEXT NOT NULL, tool TEXT NOT NULL, scope TEXT NOT NULL,
    risk TEXT NOT NULL, policy TEXT NOT NULL, reason TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, summary TEXT NOT NULL,
    args_json TEXT NOT NULL, args_hash TEXT NOT NULL, idempotency_key TEXT NOT NULL, intent TEXT NOT NULL, on_behalf_of TEXT NOT NULL,
    fingerprint TEXT NOT NULL, status TEXT NOT NULL, decision_id TEXT, decided_by TEXT, decision_comment TEXT, decided_at INTEGER,
    used_at INTEGER, expires_at INTEGER, void_reason TEXT, created_at INTEGER NOT NULL)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_tool_approvals (
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, job_id VARCHAR(64) NOT NULL, request_id VARCHAR(191) NOT NULL, provider VARCHAR(191) NOT NULL,
    tool VARCHAR(191) NOT NULL, scope VARCHAR(191) NOT NULL, risk VARCHAR(32) NOT NULL, policy VARCHAR(191) NOT NULL, reason LONGTEXT NOT NULL,
    method VARCHAR(16) NOT NULL, path LONGTEXT NOT NULL, summary LONGTEXT NOT NULL, args_json LONGTEXT NOT NULL, args_hash VARCHAR(64) NOT NULL,
    idempotency_key VARCHAR(64) NOT NULL, intent LONGTEXT NOT NULL, on_behalf_of VARCHAR(191) NOT NULL, fingerprint VARCHAR(128) NOT NULL,
    status VARCHAR(16) NOT NULL, decision_id VARCHAR(191), decided_by VARCHAR(191), decision_comment LONGTEXT, decided_at BIGINT, used_at BIGINT,
    expires_at BIGINT, void_reason VARCHAR(191), created_at BIGINT NOT NULL, KEY bz_tool_approvals_call (job_id, tool, args_hash),
    UNIQUE KEY bz_tool_approvals_decision (decision_id), KEY bz_tool_approvals_expiry (status, expires_at), KEY bz_tool_approvals_status (status, id)) ${TABLE}`,
};

export const toolApprovalsCall: Migration = {
  name: '0011-tool-approvals-call',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_tool_approvals_call ON bz_tool_approvals (job_id, tool, args_hash)',
  mysql: null,
};

/** A decision id is used once in all approvals (WIRE §9.4). */
export const toolApprovalsDecision: Migration = {
  name: '0027-tool-approvals-decision',
  sqlite: 'CREATE UNIQUE INDEX IF NOT EXISTS bz_tool_approvals_decision ON bz_tool_approvals (decision_id)',
  mysql: null,
};

export const toolApprovalsExpiry: Migration = {
  name: '0028-tool-approvals-expiry',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_tool_approvals_expiry ON bz_tool_approvals (status, expires_at)',
  mysql: null,
};

export const toolApprovalsStatus: Migration = {
  name: '0029-tool-approvals-status',
  sqlite: 'CREATE INDEX IF NOT EXISTS bz_tool_approvals_status ON bz_tool_approvals (status, id)',
  mysql: null,
};
