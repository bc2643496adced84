import type { TraceEvent } from './hub-client.js';
import { dim, plain } from './out.js';

type Detail = Readonly<Record<string, unknown>>;

const MARKS: Readonly<Record<string, string>> = { info: ' ', warning: '!', error: '✗' };

/** A trace as a person reads it: one line per event, times from the first. */
export function renderTimeline(events: readonly TraceEvent[]): string {
  const start = Date.parse(events[0]?.ts ?? '');
  return events
    .map(({ ts, event, severity, detail }) => {
      const after = `+${String(Date.parse(ts) - start)} ms`.padStart(9);
      return `  ${dim(after)} ${MARKS[severity] ?? ' '} ${event.padEnd(24)} ${plain(describe(event, detail)).slice(0, 220)}`;
    })
    .join('\n');
}

function describe(event: string, detail: Detail): string {
  const text = (name: string) => {
    const value = detail[name];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
  switch (event) {
    case 'received':
      return `route ${text('route')}, from ${text('client')}`;
    case 'llm_request':
      return `${text('model')} sees ${(detail.tools_offered as readonly string[] | undefined)?.join(', ') ?? 'no tools'}`;
    case 'tool_call':
      return `${text('tool')} → ${text('method')} ${text('path')} for ${text('on_behalf_of') || 'nobody'}, args ${text('args')}${detail.idempotency_key ? `, key ${text('idempotency_key').slice(0, 12)}…` : ''}`;
    case 'tool_result':
      return `${text('tool')} ← HTTP ${text('status')} in ${text('duration_ms')} ms: ${text('resp')}`;
    case 'tool_approval_pending':
      return `${text('tool')} held: ${text('reason')} (${text('policy')}); nothing was sent`;
    case 'tool_blocked':
      return `${text('tool')} refused: ${text('reason')} ${text('code')}`;
    case 'finished':
      return `${text('status')} after ${text('duration_ms')} ms${detail.error ? `: ${text('error')}` : ''}`;
    default:
      return Object.entries(detail)
        .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
        .map(([name, value]) => `${name}=${String(value as string).slice(0, 60)}`)
        .join(' ');
  }
}
