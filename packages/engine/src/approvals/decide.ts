import { createHash } from 'node:crypto';
import type { Clock } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Revision } from '../catalog/index.js';
import { stayingEnds } from '../jobs/single-act.js';
import type { Approval, ApprovalStatus, ApprovalStore, Decided, JobRow, JobStore, Line, Settings, Wakeups } from '../ports/index.js';

/** How much later than the hub an executor may have a job that was queued again: the hub runs the approved call first. */
export const HEAD_START_MS = 15_000;

/** Who brings the decision: the business by token or signature, or a person at the hub's own console. */
export interface Door {
  readonly auth: 'admin-token' | 'signed-business' | `client:${string}`;
  /** At the console the events are `tool_approved` and `tool_denied`, elsewhere `…_external` (WIRE §9.5). */
  readonly console: boolean;
}

export interface Verdict {
  readonly verdict: 'approved' | 'denied';
  readonly approver: string;
  readonly comment: string;
  /** Absent: a stable one is derived, so that replays stay idempotent. */
  readonly decisionId?: string;
}

/** What became of a decision. `decisionId` is the one that was brought; `standing` the one that stands instead. */
export type DecisionOutcome = { readonly decisionId: string } & (
  | Exclude<Decided, { is: 'unknown' | 'conflict' }>
  | { readonly is: 'conflict'; readonly status: ApprovalStatus; readonly standing: string | null }
);

export interface DecideDeps {
  readonly approvals: ApprovalStore;
  readonly jobs: JobStore;
  readonly settings: () => Settings;
  readonly current: (provider: string) => Revision | undefined;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly observe: (line: Line) => void;
}

/**
 * Records one authenticated decision. The hub decides only that it is authentic and belongs to this job; who may approve is the business's matter.
 * A pending question whose tool changed since becomes void instead, by name.
 */
export async function decide(approval: Approval, answer: Verdict, door: Door, deps: DecideDeps): Promise<DecisionOutcome> {
  const decisionId = answer.decisionId ?? derivedId(approval.id, answer);
  const stale = approval.status === 'pending' ? staleness(approval, deps.current) : null;
  if (stale !== null && (await voidOne(approval, stale, deps))) return { is: 'void', decisionId };
  const { id, job } = approval;
  const noted = decisionLine(approval, { ...answer, decisionId }, door, deps.clock.now());
  const decided = await deps.approvals.decide({
    ...{ id, job, decisionId, verdict: answer.verdict, approver: answer.approver, comment: answer.comment, line: noted },
    rerunLine: rerunLine(approval, answer.approver, `approval_${String(id)}`, deps.clock.now()),
    headStartMs: await headStart(job, deps),
  });
  if (decided.is === 'unknown') return { is: 'void', decisionId };
  if (decided.is === 'decided') {
    deps.observe(noted);
    if (decided.rerun === 'now') await wake(job, deps);
  }
  if (decided.is === 'conflict') return { is: 'conflict', status: decided.status, standing: decided.decisionId, decisionId };
  return { ...decided, decisionId };
}

/** An ended job runs again because a person says so (WIRE §9.5, manual rerun). `stays`: what it did, it does not do a second time. */
export async function rerunJob(
  job: Pick<JobRow, 'id' | 'requestId' | 'target' | 'source'>,
  by: string,
  via: string,
  deps: DecideDeps,
): Promise<'queued' | 'in-flight' | 'stays' | 'unknown'> {
  const noted = line('rerun', { job: job.id, requestId: job.requestId }, deps.clock.now(), { by, via });
  const moved = await deps.jobs.rerun(job.id, await headStart(job.id, deps), noted, stayingEnds(job));
  if (moved === 'queued') await wake(job.id, deps);
  return moved;
}

/** Why a question is not the one of today's tool any more. A provider without a readable document proves nothing. */
export function staleness(approval: Approval, current: DecideDeps['current']): 'fingerprint_changed' | 'tool_removed' | null {
  const revision = current(approval.provider);
  if (!revision) return null;
  const tool = revision.tools.get(approval.tool);
  if (!tool) return 'tool_removed';
  return tool.definition.fingerprint === approval.fingerprint ? null : 'fingerprint_changed';
}

export async function voidOne(
  approval: Approval,
  reason: string,
  deps: Pick<DecideDeps, 'approvals' | 'clock' | 'observe'>,
): Promise<boolean> {
  const noted = voidLine(approval, reason, deps.clock.now());
  const moved = await deps.approvals.voidOpen([{ id: approval.id, job: approval.job, line: noted }], reason);
  if (moved > 0) deps.observe(noted);
  return moved > 0;
}

export function voidLine(approval: Approval, reason: string, now: number): Line {
  const detail = { approval_id: approval.id, tool: approval.tool, scope: approval.scope, reason };
  return line('tool_approval_void', { job: approval.job, requestId: approval.requestId }, now, detail);
}

function decisionLine(approval: Approval, answer: Verdict & { readonly decisionId: string }, door: Door, now: number): Line {
  const { id, job, requestId, tool, scope, policy, reason, summary } = approval;
  return line(`tool_${answer.verdict}${door.console ? '' : '_external'}`, { job, requestId }, now, {
    ...{ approval_id: id, decision_id: answer.decisionId, tool, scope, by: answer.approver, auth: door.auth, policy, reason, summary },
    ...(answer.comment !== '' && { comment: answer.comment }),
  });
}

function rerunLine({ job, requestId }: Approval, by: string, via: string, now: number): Line {
  return line('rerun', { job, requestId }, now, { by, via });
}

function derivedId(id: number, { verdict, approver }: Verdict): string {
  return `auto:${String(id)}:${verdict}:${createHash('sha256').update(approver).digest('hex').slice(0, 32)}`;
}

async function headStart(job: string, deps: Pick<DecideDeps, 'jobs' | 'settings'>): Promise<number> {
  const row = await deps.jobs.get(job);
  return row && deps.settings().target(row.target)?.kind === 'executor' ? HEAD_START_MS : 0;
}

async function wake(job: string, deps: Pick<DecideDeps, 'jobs' | 'wakeups'>): Promise<void> {
  const row = await deps.jobs.get(job);
  if (row) deps.wakeups.notify(`jobs:${row.target}`);
  deps.wakeups.notify('approved');
}
