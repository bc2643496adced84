import { statement } from './statement.js';

export interface UnresolvedRecord {
  readonly id: number;
  readonly attempt: number;
  readonly job_id: string;
  readonly request_id: string | null;
  readonly tool: string;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly state: string;
  readonly scope: string;
  readonly on_behalf_of: string;
  readonly owner: string;
  readonly send_by: number;
  readonly reason: string;
  readonly provider: string;
  readonly args: string;
  readonly request_digest: string;
  readonly attempted_at: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly evidence: string | null;
  readonly probes: number;
}

const SELECT = `SELECT e.id, e.attempt, e.job_id, j.request_id, e.tool, e.args_hash, e.idempotency_key, e.state, e.scope, e.on_behalf_of, e.owner, e.send_by,
  e.error AS reason, e.provider, e.args, e.request_digest, e.attempted_at, e.created_at, e.updated_at, e.evidence, e.probes
  FROM bz_tool_executions e LEFT JOIN bz_jobs j ON j.id = e.job_id`;
/** MySQL rather walks the whole journal in order than look up the few rows that are unresolved, so it is told. */
const select = (rest: string): { readonly sqlite: string; readonly mysql: string } => ({
  sqlite: `${SELECT} ${rest}`,
  mysql: `${SELECT.replace('bz_tool_executions e', 'bz_tool_executions e FORCE INDEX (bz_tool_executions_unresolved)')} ${rest}`,
});
const OPEN = `e.state <> 'completed' AND e.state <> 'released'`;

export const unresolvedAfter = statement<[after: number, limit: number], UnresolvedRecord>(
  'unresolved-after',
  select(`WHERE ${OPEN} AND e.id > ? ORDER BY e.id LIMIT ?`),
);

export const unresolvedOfJob = statement<[job: string], UnresolvedRecord>(
  'unresolved-of-job',
  `${SELECT} WHERE e.job_id = ? AND ${OPEN} ORDER BY e.id`,
);

export const unresolvedById = statement<[id: number], UnresolvedRecord>('unresolved-by-id', `${SELECT} WHERE e.id = ?`);

/** Whose outcome nobody will bring any more, and that are due for the probe. */
export const dueForProbe = statement<[sendBy: number, probeAt: number, limit: number], UnresolvedRecord>(
  'due-for-probe',
  select(
    `WHERE ${OPEN} AND (e.state <> 'dispatching' OR e.send_by <= ?) AND (e.probe_at IS NULL OR e.probe_at <= ?) ORDER BY e.id LIMIT ?`,
  ),
);

export interface ToSettle {
  readonly job_id: string;
  readonly tool: string;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly state: string;
  readonly attempt: number;
  readonly attempted_at: number;
  readonly send_by: number;
  readonly ok: number | null;
}

export const rowToSettle = statement<[id: number], ToSettle>('row-to-settle', {
  sqlite: 'SELECT job_id, tool, args_hash, idempotency_key, state, attempt, attempted_at, send_by, ok FROM bz_tool_executions WHERE id = ?',
  mysql:
    'SELECT job_id, tool, args_hash, idempotency_key, state, attempt, attempted_at, send_by, ok FROM bz_tool_executions WHERE id = ? FOR UPDATE',
});

/** Applied, with the answer that a repeated call gets. */
export const settleApplied = statement<
  [ok: number, status: number, text: string, recordedAt: number, updatedAt: number, id: number, attempt: number]
>(
  'settle-applied',
  `UPDATE bz_tool_executions SET state = 'completed', ok = ?, status = ?, result_text = ?, recorded_at = ?, updated_at = ?
   WHERE id = ? AND attempt = ? AND state <> 'completed' AND state <> 'released'`,
);

/** Applied, and the answer was recorded already: only its evidence was lacking. */
export const settleRecorded = statement<[updatedAt: number, id: number, attempt: number]>(
  'settle-recorded',
  `UPDATE bz_tool_executions SET state = 'completed', updated_at = ?
   WHERE id = ? AND attempt = ? AND state IN ('response_recorded', 'evidence_degraded')`,
);

/** Not applied: released for one fresh dispatch under the same key. What an earlier attempt was answered is not an answer any more. */
export const releaseRow = statement<[updatedAt: number, id: number, attempt: number]>(
  'release-row',
  `UPDATE bz_tool_executions SET state = 'released', ok = NULL, status = NULL, result_text = NULL, updated_at = ?
   WHERE id = ? AND attempt = ? AND state <> 'completed' AND state <> 'released'`,
);

export const insertSettlement = statement<
  [id: number, attempt: number, job: string, tool: string, idem: string, verdict: string, by: string, evidence: string, at: number]
>(
  'insert-settlement',
  `INSERT INTO bz_tool_settlements (execution_id, attempt, job_id, tool, idempotency_key, verdict, settled_by, evidence, at)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);

export const settlementOf = statement<[id: number, attempt: number], { readonly verdict: string; readonly settled_by: string }>(
  'settlement-of',
  'SELECT verdict, settled_by FROM bz_tool_settlements WHERE execution_id = ? AND attempt = ?',
);

/** A write of this job that was settled as applied, and that the journal does not answer any more. */
export const appliedAndGone = statement<[job: string], { readonly execution_id: number }>(
  'applied-and-gone',
  `SELECT s.execution_id FROM bz_tool_settlements s LEFT JOIN bz_tool_executions e ON e.id = s.execution_id
   WHERE s.job_id = ? AND s.verdict = 'applied' AND e.id IS NULL LIMIT 1`,
);

export const anyUnresolved = statement<[job: string], { readonly id: number }>(
  'any-unresolved',
  `SELECT id FROM bz_tool_executions WHERE job_id = ? AND state <> 'completed' AND state <> 'released' LIMIT 1`,
);

export const beginProbe = statement<[probeAt: number, id: number, attempt: number, probes: number]>(
  'begin-probe',
  `UPDATE bz_tool_executions SET probes = probes + 1, probe_at = ?
   WHERE id = ? AND attempt = ? AND probes = ? AND state <> 'completed' AND state <> 'released'`,
);

export const postponeProbe = statement<[probeAt: number, id: number, attempt: number, probes: number]>(
  'postpone-probe',
  'UPDATE bz_tool_executions SET probe_at = ? WHERE id = ? AND attempt = ? AND probes = ?',
);

export const keepEvidence = statement<[evidence: string, updatedAt: number, id: number, attempt: number]>(
  'keep-evidence',
  'UPDATE bz_tool_executions SET evidence = ?, updated_at = ? WHERE id = ? AND attempt = ?',
);
