import type { Approval, ApprovalStore, CallStore, Recorded } from '../ports/index.js';

/** An approved call that was run: what the brain and whoever waits get to know of it. */
export interface Executed {
  readonly approval: Approval;
  /** Null while its outcome is not known, and when the journal no longer keeps it (WIRE §8.3). */
  readonly recorded: Recorded | null;
  readonly unknown: boolean;
}

export interface ApprovalFacts {
  readonly approvals: readonly Approval[];
  readonly executed: readonly Executed[];
}

type Deps = { readonly approvals: Pick<ApprovalStore, 'ofJob'>; readonly calls: Pick<CallStore, 'recorded' | 'unresolved'> };

/** Everything that is known of the approvals of a job; null where it has none. */
export async function approvalFacts(job: string, deps: Deps): Promise<ApprovalFacts | null> {
  const approvals = await deps.approvals.ofJob(job);
  if (approvals.length === 0) return null;
  const used = approvals.filter(({ usedAt }) => usedAt !== null);
  // Looked at before the records: what is in neither was known once.
  const open = used.length > 0 ? await deps.calls.unresolved(job) : [];
  const unknown = new Set(open.map(({ key }) => key.idem));
  const executed = await Promise.all(
    used.map(async (approval) => {
      const { tool, argsHash, idem } = approval;
      const recorded = await deps.calls.recorded({ job, tool, argsHash, idem });
      return { approval, recorded, unknown: recorded === null && unknown.has(idem) };
    }),
  );
  return { approvals, executed };
}

/** The `governance` member of a job's result: what waits, what was decided, what was run. */
export function governanceView({ approvals, executed }: ApprovalFacts): Readonly<Record<string, unknown>> {
  const named = ({ id, tool, summary }: Approval) => ({ approval_id: id, tool, summary });
  return {
    pending: approvals.filter(({ status }) => status === 'pending').map(named),
    decisions: approvals.filter(({ status }) => status !== 'pending').map((approval) => ({ ...named(approval), ...decisionOf(approval) })),
    executed: executed.map(({ approval, recorded, unknown }) => ({
      ...named(approval),
      ...(recorded
        ? { ok: recorded.ok, status: recorded.status, text: recorded.text }
        : { outcome: unknown ? 'unknown' : 'no_longer_kept' }),
    })),
  };
}

function decisionOf({ status, decidedBy, comment, decidedAt, voidReason }: Approval): Readonly<Record<string, unknown>> {
  return {
    decision: status,
    ...(decidedBy !== null && { approver: decidedBy }),
    ...(comment !== null && comment !== '' && { comment }),
    ...(decidedAt !== null && { decided_at: new Date(decidedAt).toISOString() }),
    ...(voidReason !== null && { reason: voidReason }),
  };
}

/** A job's stored result with its governance as it is now; unchanged where the job has no approvals or no result to carry it yet. */
export async function withGovernance<T extends { readonly id: string; readonly status: string; readonly result: string | null }>(
  job: T,
  deps: Deps,
): Promise<T> {
  if (job.result === null && job.status !== 'error') return job;
  const facts = await approvalFacts(job.id, deps);
  if (!facts) return job;
  const result = JSON.parse(job.result ?? '{}') as object;
  return { ...job, result: JSON.stringify({ ...result, governance: governanceView(facts) }) };
}
