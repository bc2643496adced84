import { parsed } from '../jobs/view.js';
import type { AuditRow, JobRow, Stage } from '../ports/index.js';
import type { Ledger, Tally } from './ledger.js';

type Members = Readonly<Record<string, unknown>>;

const STAGES: readonly Stage[] = [
  ...(['launch', 'context', 'execution', 'tool', 'approval', 'delivery'] as const),
  ...(['summary', 'recovery', 'channel', 'config', 'system'] as const),
];

/** `trace` of WIRE §15.3: counts over everything, and the events that fit in order of writing. */
export interface Trace {
  readonly summary: Members;
  readonly events: readonly Members[];
}

export function traceOf(job: JobRow, { rows, tally }: Ledger, approvals: number, messages: number): Trace {
  return { summary: summaryOf(job, tally, approvals, messages), events: rows.map(eventOf) };
}

function eventOf({ at, event, stage, severity, title, summary, detail }: AuditRow): Members {
  return { ts: new Date(at).toISOString(), event, stage, severity, title, summary, detail: parsed(detail) ?? {} };
}

function summaryOf(job: JobRow, tally: Tally, approvals: number, messages: number): Members {
  const named = (event: string): number => tally.events.get(event) ?? 0;
  const beginning = (prefix: string): number =>
    [...tally.events].reduce((sum, [event, count]) => (event.startsWith(prefix) ? sum + count : sum), 0);
  return {
    job_id: job.id,
    request_id: job.requestId,
    status: job.status,
    stage_count: Object.fromEntries(STAGES.map((stage) => [stage, tally.stages.get(stage) ?? 0])),
    event_count: tally.total,
    error_count: tally.errors,
    warning_count: tally.warnings,
    tool_calls: named('tool_call'),
    tool_results: named('tool_result'),
    approvals,
    deliveries: tally.stages.get('delivery') ?? 0,
    llm_requests: named('llm_request'),
    perceptions: beginning('perception'),
    knowledge_events: beginning('kb_'),
    message_count: messages,
    duration_ms: Math.max(0, (tally.lastAt ?? job.updatedAt) - (tally.firstAt ?? job.createdAt)),
  };
}
