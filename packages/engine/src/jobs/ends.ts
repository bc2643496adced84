import { line } from '../audit/index.js';
import type { LoopEnd } from '../brain/index.js';
import type { ToolExecution } from '../calls/index.js';
import type { End, JobRow } from '../ports/index.js';
import { jobErrorOf, sentenceOf } from './error-code.js';

/** What a brain's work comes to where the job ends with it. */
export type Finished = Extract<LoopEnd, { is: 'answer' | 'failed' | 'reconcile' }>;

/** Builds the terminal state of a job: result, error, usage and the lines that say so. The one place where jobs end. */
export function endOf(job: JobRow, end: Finished, now: number): End {
  if (end.is === 'reconcile') return reconciliation(job, end.execution, now, { text: end.text, preflight: false });
  const { facts } = end;
  const usage = {
    duration_ms: now - job.createdAt,
    num_turns: facts.toolCalls,
    tokens: facts.usage.inputTokens + facts.usage.outputTokens,
  };
  if (end.is === 'failed') return failure(job, sentenceOf(end.code), now, usage);
  const result = {
    text: end.text,
    model: facts.model,
    tool_calls: facts.toolCalls,
    tool_budget: facts.budget,
    ...(facts.repaired && { output_protocol_repaired: true }),
    ...(facts.pending.length > 0 && { governance: pendingOf(facts.pending) }),
  };
  return {
    status: 'done',
    result: JSON.stringify(result),
    error: null,
    usage: JSON.stringify(usage),
    lines: [finishedLine(job, 'done', now)],
  };
}

function pendingOf(pending: LoopEnd['facts']['pending']) {
  return { pending: pending.map(({ approvalId, tool, summary }) => ({ approval_id: approvalId, tool, summary })) };
}

export function failure(job: JobRow, error: string, now: number, usage: object | null = null): End {
  return { status: 'error', result: null, error, usage: usage && JSON.stringify(usage), lines: [finishedLine(job, 'error', now, error)] };
}

/** WIRE §8.2: the job ends at once, its outcome unknown, nothing retried. */
export function reconciliation(job: JobRow, execution: ToolExecution, now: number, how: { text?: string; preflight: boolean }): End {
  const result = {
    governance_state: 'reconciliation_required',
    auto_retry_allowed: false,
    tool_execution: execution,
    ...(how.text !== undefined && how.text !== '' && { text: how.text }),
  };
  const error = 'tool_execution_reconciliation_required';
  const of = { job: job.id, requestId: job.requestId };
  const noted = line('job_reconciliation_required', of, now, { ...execution, ...(how.preflight && { recovery_preflight: true }) });
  return { status: 'error', result: JSON.stringify(result), error, usage: null, lines: [noted, finishedLine(job, 'error', now, error)] };
}

/** WIRE §8.2: nothing was sent, because nothing could be written down; nothing is tried again by itself. */
export function journalUnavailable(job: JobRow, reason: string, now: number): End {
  const result = { governance_state: 'execution_journal_unavailable', auto_retry_allowed: false, reason };
  const error = 'tool_execution_journal_unavailable';
  const of = { job: job.id, requestId: job.requestId };
  const noted = line('tool_execution_journal_unavailable', of, now, { reason: reason.slice(0, 300), recovery_preflight: false });
  return { status: 'error', result: JSON.stringify(result), error, usage: null, lines: [noted, finishedLine(job, 'error', now, error)] };
}

export function finishedLine(job: JobRow, status: End['status'], now: number, error?: string) {
  const of = { job: job.id, requestId: job.requestId };
  return line('finished', of, now, {
    status,
    cost_usd: 0,
    duration_ms: now - job.createdAt,
    ...(error !== undefined && { error: error.slice(0, 300), ...jobErrorOf({ target: job.target, error }) }),
  });
}
