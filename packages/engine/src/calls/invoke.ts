import type { Outcome, Ticket } from '@bailing/plugin-api';
import { readTraceContext, type TraceContext } from '@bailing/contract';
import type { CallDeps } from './deps.js';
import type { Prepared } from './prepared.js';
import type { Seat } from './seat.js';

/** How long after a send-by time the outcome of an attempt may still be written down before its row counts as orphaned. */
const GRACE_MS = 250;

/**
 * The only place that sends. It needs a ticket, which only a store can mint, and sends once. A throw is `unknown`: whoever cannot say
 * that nothing left must not claim it. A stopping job does not abort an attempt under way; the attempt's own time limit does.
 */
export async function invoke(seat: Seat, prepared: Prepared, ticket: Ticket, deps: Pick<CallDeps, 'clock' | 'log'>): Promise<Outcome> {
  const left = ticket.sendBy - deps.clock.now();
  if (left <= 0) return { is: 'not-sent', why: 'the time to send had passed' };
  const { id: job, client, metadata } = seat.job;
  const context = { job, client, subject: prepared.call.subject, scope: prepared.call.tool.scope, ...traceOf(metadata) };
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => {
      abort.abort();
      resolve({ is: 'unknown', why: 'timeout' });
    }, left + GRACE_MS);
  });
  try {
    return await Promise.race([prepared.invoker.send(prepared.frozen, ticket, context, abort.signal), late]);
  } catch (error) {
    deps.log.error('an invoker threw; the outcome counts as unknown', {
      job: seat.job.id,
      tool: prepared.call.tool.name,
      error: String(error),
    });
    return { is: 'unknown', why: 'invoker_failed' };
  } finally {
    clearTimeout(timer);
  }
}

/** The trace a job came with; whatever else stands there is none. */
function traceOf({ trace_context: given }: Seat['job']['metadata']): { readonly trace?: TraceContext } {
  if (given === undefined || given === null || typeof given !== 'object') return {};
  const { traceparent, tracestate } = given as Readonly<Record<string, unknown>>;
  const trace = readTraceContext(traceparent, tracestate);
  return trace ? { trace } : {};
}
