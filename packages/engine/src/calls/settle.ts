import type { Answer, ErrorCode, Outcome, Recorded, Ticket } from '@bailing/plugin-api';
import { errorCatalogue } from '@bailing/plugin-api';
import { isSend, sendEvidence } from '../messages/index.js';
import type { Line, UnresolvedState } from '../ports/index.js';
import { recordedOf } from './answer-text.js';
import type { CallDeps } from './deps.js';
import { callLine, respEvidence } from './evidence.js';
import type { Prepared } from './prepared.js';
import type { CallResult } from './result.js';
import { execution, reconcile } from './result.js';
import type { Seat } from './seat.js';

/** Answers of something in between: on a write they say nothing about what the business did (WIRE §8.1, corrected). */
const IN_BETWEEN = new Set([408, 502, 504]);

/** The settle commit. What is unknown stays unknown, has a name, and freezes. */
export async function settle(seat: Seat, prepared: Prepared, ticket: Ticket, outcome: Outcome, deps: CallDeps): Promise<CallResult> {
  const attempt = new Attempt(seat, prepared, ticket, deps);
  if (outcome.is === 'not-sent') return attempt.notSent(outcome.why, outcome.moved ? 'BAILING_CHANNEL_CHANGED' : 'BAILING_CALL_NOT_SENT');
  if (outcome.is === 'unknown') return prepared.journalled ? attempt.unknown(outcome.why) : attempt.failedRead(outcome.why);
  const { answer } = outcome;
  if (prepared.journalled && !answer.reported && IN_BETWEEN.has(answer.status)) return attempt.unknown(`http_${String(answer.status)}`);
  return attempt.answered(answer);
}

class Attempt {
  private readonly startedAt: number;
  constructor(
    private readonly seat: Seat,
    private readonly prepared: Prepared,
    private readonly ticket: Ticket,
    private readonly deps: CallDeps,
  ) {
    this.startedAt = ticket.signAt;
  }

  async answered(answer: Answer): Promise<CallResult> {
    const { prepared, deps, ticket } = this;
    const recorded = recordedOf(answer, prepared.provider.result_max_bytes);
    const result = this.line('tool_result', {
      ...this.outcome(recorded.ok, answer.status),
      ...respEvidence(prepared.call.tool, prepared.provider, answer),
    });
    if (!prepared.journalled) {
      deps.calls.settleRead(ticket, !recorded.ok, result);
      deps.observe(result, prepared.call);
      return { ...recorded, sent: true };
    }
    return this.settleWrite(recorded, result);
  }

  private async settleWrite(recorded: Recorded, result: Line): Promise<CallResult> {
    const { deps, ticket, prepared } = this;
    let state: Awaited<ReturnType<CallDeps['calls']['settleWrite']>>;
    try {
      state = await deps.calls.settleWrite(ticket, recorded, result);
    } catch (error) {
      const about = { job: this.seat.job.id, tool: prepared.call.tool.name, error: String(error) };
      if (await this.wasWritten(recorded)) {
        deps.log.warn('the answer of the settle commit was lost; the commit was not', about);
        return { ...recorded, sent: true };
      }
      deps.log.error('the settle commit failed; the row stays unresolved', about);
      return this.unresolved('dispatching', 'settle_commit_failed');
    }
    deps.wakeups.notify(`call:${prepared.key.idem}`);
    if (state === 'completed') {
      deps.observe(result, prepared.call);
      return { ...recorded, sent: true };
    }
    return state === 'moved' ? this.unresolved('uncertain', 'row_moved') : this.unresolved('evidence_degraded', 'result_audit_failed');
  }

  /** A commit whose answer was lost may have happened: then the row is not open any more, and holds this very answer. */
  private async wasWritten({ ok, status, text }: Recorded): Promise<boolean> {
    const { calls } = this.deps;
    const { key } = this.prepared;
    try {
      if ((await calls.unresolved(key.job)).some((row) => row.key.idem === key.idem)) return false;
      const was = await calls.recorded(key);
      return was !== null && was.ok === ok && was.status === status && was.text === text;
    } catch {
      return false;
    } finally {
      this.deps.wakeups.notify(`call:${key.idem}`);
    }
  }

  async unknown(why: string): Promise<CallResult> {
    const { deps, ticket, prepared } = this;
    const noted = this.line('tool_reconciliation_required', {
      ...this.outcome(false, 0),
      scope: prepared.call.tool.scope,
      state: 'uncertain',
      reason: why,
    });
    try {
      await deps.calls.unknown(ticket, why, noted);
      deps.observe(noted, prepared.call);
    } catch (error) {
      // The row still reads `dispatching`, which is unresolved as well: nothing is lost but the word for it.
      deps.log.error('the unknown outcome could not be noted; the row stays dispatching', { job: this.seat.job.id, error: String(error) });
      return this.unresolved('dispatching', why);
    } finally {
      deps.wakeups.notify(`call:${prepared.key.idem}`);
    }
    return this.unresolved('uncertain', why);
  }

  /** A read whose answer did not come: an ordinary failure, told as one. */
  failedRead(why: string): CallResult {
    return this.failure('BAILING_CALL_FAILED', why, true);
  }

  async notSent(why: string, code: ErrorCode): Promise<CallResult> {
    const { deps, ticket, prepared } = this;
    if (!prepared.journalled) return this.failure(code, why, false);
    const result = this.line('tool_result', { ...this.outcome(false, 0), reason: why, sent: false });
    try {
      if ((await deps.calls.withdraw(ticket, result)) === 'moved') return this.unresolved('uncertain', 'row_moved');
    } catch (error) {
      deps.log.error('the withdrawal failed; the row stays unresolved', { job: this.seat.job.id, error: String(error) });
      return this.unresolved('dispatching', 'withdraw_commit_failed');
    } finally {
      deps.wakeups.notify(`call:${prepared.key.idem}`);
    }
    deps.observe(result, prepared.call);
    return this.refusalText(code, why, false);
  }

  private failure(code: ErrorCode, why: string, sent: boolean): CallResult {
    const result = this.line('tool_result', { ...this.outcome(false, 0), reason: why, sent });
    this.deps.calls.settleRead(this.ticket, true, result);
    this.deps.observe(result, this.prepared.call);
    return this.refusalText(code, why, sent);
  }

  private refusalText(code: ErrorCode, why: string, sent: boolean): CallResult {
    const row = errorCatalogue[code];
    return { ok: false, status: 0, code, sent, text: `${row.says} (${why}) ${row.fix}` };
  }

  private unresolved(state: UnresolvedState, reason: string): CallResult {
    return reconcile(execution({ key: this.prepared.key, scope: this.prepared.call.tool.scope, state, reason }), true);
  }

  private outcome(ok: boolean, status: number): Readonly<Record<string, unknown>> {
    const idem = this.prepared.journalled ? this.prepared.key.idem : null;
    return { tool: this.prepared.call.tool.name, status, ok, duration_ms: this.deps.clock.now() - this.startedAt, idempotency_key: idem };
  }

  private line(event: string, detail: Readonly<Record<string, unknown>>): Line {
    const of = { job: this.seat.job.id, requestId: this.seat.job.requestId };
    const { tool, args } = this.prepared.call;
    const about = isSend(tool) ? sendEvidence(args) : {};
    return callLine(tool, event, of, this.deps.clock.now(), { ...about, ...detail });
  }
}
