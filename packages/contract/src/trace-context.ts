/** W3C Trace Context, level 1: `00-<trace id>-<parent id>-<flags>`. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const STATE_CHARS = 512;
const STATE = /^[\x20-\x7e]*$/;

export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Reads the two headers; null for what is not of their form. A state without a parent means nothing. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | null {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent.trim()) : null;
  if (!parts) return null;
  const [, version, trace = '', parent = '', flags, rest] = parts;
  if (version === 'ff' || ZEROS.test(trace) || ZEROS.test(parent) || (version === '00' && rest !== undefined)) return null;
  const state = typeof tracestate === 'string' && tracestate.length <= STATE_CHARS && STATE.test(tracestate) ? tracestate.trim() : '';
  return { traceparent: `00-${trace}-${parent}-${flags ?? '00'}`, ...(state !== '' && { tracestate: state }) };
}

/** The same trace with another parent: 16 lower-case hex, not all zero. */
export function childOf(context: TraceContext, span: string): TraceContext {
  const [version, trace, , flags] = context.traceparent.split('-');
  return { ...context, traceparent: [version, trace, span, flags].join('-') };
}
