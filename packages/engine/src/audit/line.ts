import { AUDIT_FIELD_BYTES, cutUtf8 } from '@bailing/contract';
import type { Line, Severity, Stage } from '../ports/index.js';

/** Which job a line belongs to; `-` and a subject of its own where it belongs to none (WIRE §15.1). */
export interface LineOf {
  readonly job: string;
  readonly requestId: string;
}

type Detail = Readonly<Record<string, unknown>>;

/** Builds an audit line: stage, severity, title and summary are computed once, here, at write time. */
export function line(event: string, of: LineOf, at: number, detail: Detail = {}): Line {
  const text = detailText(detail);
  return {
    event,
    at,
    job: of.job,
    requestId: of.requestId,
    stage: stageOf(event),
    severity: severityOf(event, detail),
    title: titleOf(event, detail),
    summary: summaryOf(detail),
    detail: text,
  };
}

/** Detail as JSON text within four field budgets; each long field has been cut by whoever put it in. */
function detailText(detail: Detail): string {
  const text = JSON.stringify(detail);
  if (text.length <= 4 * AUDIT_FIELD_BYTES) return text;
  const cut = Object.fromEntries(
    Object.entries(detail).map(([key, value]) => {
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      return written !== undefined && written.length > 4_096 ? [key, `${cutUtf8(written, 4_096).text}…`] : [key, value];
    }),
  );
  return JSON.stringify({ ...cut, detail_truncated: true });
}

const EXACT: Readonly<Record<string, Stage>> = {
  received: 'launch',
  awaiting_executor: 'launch',
  rejected: 'launch',
  recovered: 'recovery',
  rerun: 'recovery',
  retry_scheduled: 'recovery',
  tool_approved: 'approval',
  tool_denied: 'approval',
  tool_args_drift: 'approval',
  tool_debug_invoke: 'tool',
  authorize_probe: 'config',
  config_change: 'config',
  spec_access_probe: 'config',
  spec_refreshed: 'config',
  spec_refresh_failed: 'config',
  spec_loosened: 'config',
  spec_accepted: 'config',
  context_added: 'context',
  context_error: 'context',
  memory_added: 'context',
  started: 'execution',
  inhub_claimed: 'execution',
  dispatched: 'execution',
  finished: 'execution',
  tools_unavailable: 'execution',
  tools_locked: 'execution',
};

function stageOf(event: string): Stage {
  const exact = EXACT[event];
  if (exact) return exact;
  if (event.includes('approval') || /^tool_(approved|denied)/.test(event)) return 'approval';
  if (event.startsWith('memory_summar')) return 'summary';
  if (/^(tool_|tools_retrieved|builtin_send)/.test(event)) return 'tool';
  if (/^(delivery|callback|dlq_)/.test(event)) return 'delivery';
  if (/^(llm_|perception|speech|file_input|job_)/.test(event)) return 'execution';
  if (/_revealed$/.test(event)) return 'config';
  return 'system';
}

const WARNING =
  /rejected|degraded|unavailable|locked|blocked|skipped|retry|fallback|violation|budget_exhausted|approval_pending|args_drift|reconciliation|frozen|loosened|^alert$/;

function severityOf(event: string, detail: Detail): Severity {
  if (event === 'finished' && (detail.status === 'error' || detail.status === 'rejected')) return 'error';
  if (/error|failed/.test(event) || detail.ok === false) return 'error';
  return WARNING.test(event) ? 'warning' : 'info';
}

/** A line's headline: the event in words and what it is about. */
function titleOf(event: string, detail: Detail): string {
  const about = [detail.tool, detail.status, detail.route].find((value): value is string => typeof value === 'string' && value !== '');
  const words = event.replaceAll('_', ' ');
  return (about === undefined ? words : `${words}: ${about}`).slice(0, 128);
}

const SUMMARISED = ['reason', 'scope', 'risk', 'status', 'http', 'approval_id', 'duration_ms', 'error', 'model', 'policy', 'target'];

function summaryOf(detail: Detail): string {
  return SUMMARISED.filter((key) => ['string', 'number', 'boolean'].includes(typeof detail[key]))
    .map((key) => `${key}=${String(detail[key]).slice(0, 120)}`)
    .join(' ')
    .slice(0, 512);
}
