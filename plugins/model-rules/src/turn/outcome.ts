/**
 * What a result says happened. `answered` claims nothing but that an answer came; `held`: the hub froze
 * the call and sent nothing; `pending`: the business took it and says itself that it is not carried out yet; `missing`: no result.
 */
export type Outcome = 'answered' | 'pending' | 'held' | 'failed' | 'unknown' | 'missing';

export interface Reading {
  readonly outcome: Outcome;
  readonly text: string;
  /** The parsed body where it is JSON. */
  readonly body: unknown;
}

const HELD_WORDS =
  /\b(needs? approval|submitted (as|for) approval|awaiting approval|waiting for approval|pending[_ ]approval|frozen for approval|held for approval)\b|待审批|等待审批|需要审批|提交审批|已冻结/i;
const UNKNOWN_WORDS =
  /\b(outcome [^.]{0,40}(not known|unknown)|not known whether|reconciliation|uncertain)\b|结果未知|待核对|无法确认是否/i;
const FAILED_WORDS =
  /^\s*(HTTP\s+[345]\d\d|error\b|failed\b|not run\b|LLM \d)|\b(is not granted|do(es)? not match the schema|was denied|denies this call|is denied|could not be reached|did not answer|nothing was sent|rate limit|budget of this job is used up|is off for the rest|not allowed|refused)\b|失败|被拒绝|未授权|未发送|错误/i;
const PENDING_STATUS = new Set(['pending_approval', 'approval_pending', 'awaiting_approval', 'draft_created']);

/** Reads one result text. Anything that is not clearly an answer is reported as what it is, never as success. */
export function readOutcome(result: string | undefined): Reading {
  if (result === undefined) return { outcome: 'missing', text: '', body: undefined };
  // The hub marks what did not succeed; the mark is its word and no part of the answer.
  const mark = /^\s*\[not successful\]\s*/i.exec(result)?.[0];
  if (mark !== undefined) return { outcome: ofRefusal(result.slice(mark.length)), text: result.slice(mark.length), body: undefined };
  const whole = parse(result);
  if (whole !== undefined) return { outcome: ofBody(whole), text: result, body: whole };
  const prose = ofProse(result);
  // Only where the sentences around it report no trouble does framed JSON count as the answer.
  const framed = prose === 'answered' ? framedBody(result) : undefined;
  return framed === undefined ? { outcome: prose, text: result, body: undefined } : { outcome: ofBody(framed), text: result, body: framed };
}

function ofProse(text: string): Outcome {
  // JSON that was cut to fit a budget: its words are data, only its head says how it went.
  if (/^\s*[{[]/.test(text)) return /^.{0,200}"(ok|success)"\s*:\s*false/s.test(text) ? 'failed' : 'answered';
  if (/^\s*HTTP\s+[345]\d\d/.test(text)) return 'failed';
  if (HELD_WORDS.test(text)) return 'held';
  if (UNKNOWN_WORDS.test(text)) return 'unknown';
  return FAILED_WORDS.test(text) ? 'failed' : 'answered';
}

function ofBody(body: unknown): Outcome {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'answered';
  const row = body as Readonly<Record<string, unknown>>;
  const status = [row.status, row.state, row.governance_state].find((value) => typeof value === 'string');
  if (status === 'reconciliation_required') return 'unknown';
  const failed =
    row.ok === false || row.success === false || (row.error !== undefined && row.error !== null && row.error !== false && row.error !== '');
  if (failed) return 'failed';
  return typeof status === 'string' && PENDING_STATUS.has(status) ? 'pending' : 'answered';
}

/** What the hub says about a call that did not succeed. Behind an HTTP status stand the words of the business, which hold nothing back. */
function ofRefusal(text: string): Outcome {
  if (/^\s*(HTTP\s+\d{3}|[{[])/.test(text)) return 'failed';
  const prose = ofProse(text);
  return prose === 'answered' ? 'failed' : prose;
}

/** JSON inside a frame of prose that opens and closes it. */
function framedBody(text: string): unknown {
  const framed = /^[^{[]{0,400}([{[][\s\S]*[}\]])[^}\]]{0,400}$/.exec(text)?.[1];
  return framed === undefined ? undefined : parse(framed);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
