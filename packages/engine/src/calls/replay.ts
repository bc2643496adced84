import type { Recorded } from '@bailing/plugin-api';
import type { Key, Open } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import { callLine } from './evidence.js';
import type { Prepared } from './prepared.js';
import { frozenBy, Refusal } from './refusal.js';
import type { CallResult } from './result.js';
import type { Seat } from './seat.js';

/** A write already recorded under this key: its answer again, nothing sent. */
export async function replay(
  seat: Seat,
  tool: { name: string; provider: string; scope: string },
  key: Key,
  was: Recorded,
  deps: CallDeps,
): Promise<CallResult> {
  const of = { job: seat.job.id, requestId: seat.job.requestId };
  const noted = callLine(tool, 'tool_call_deduped', of, deps.clock.now(), {
    tool: tool.name,
    scope: tool.scope,
    status: was.status,
    idempotency_key: key.idem,
    reason: 'completed_before',
  });
  try {
    await deps.calls.refused(noted);
    deps.observe(noted);
  } catch (error) {
    deps.log.warn('a replay could not be audited', { job: seat.job.id, error: String(error) });
  }
  return { ...was, sent: false };
}

const POLL_MS = 200;
const SETTLING_MS = 1_000;

/**
 * The identical write is on its way, here or in another replica: wait for its outcome instead of telling the brain to reconcile. Ends with the
 * recorded answer, or with what the row became. The row is looked at before the record: one that is not open any more has its answer by then,
 * or was taken back because nothing was sent. A channel may take ten minutes: whoever has less patience is told what is known by then.
 */
export async function awaitOutcome(seat: Seat, prepared: Prepared, row: Open, deps: CallDeps): Promise<CallResult> {
  const settledBy = row.sendBy + SETTLING_MS;
  const until = Math.min(settledBy, deps.clock.now() + (seat.patienceMs ?? Infinity));
  while (deps.clock.now() < until && !seat.signal.aborted) {
    await deps.wakeups.wait(`call:${prepared.key.idem}`, seat.signal, POLL_MS);
    const still = (await deps.calls.unresolved(seat.job.id)).find((open) => open.key.idem === prepared.key.idem);
    if (!still) return settledMeanwhile(seat, prepared, deps);
    if (still.state !== 'dispatching') throw frozenBy(still);
  }
  throw frozenBy(until < settledBy ? { ...row, reason: 'in_flight' } : row);
}

async function settledMeanwhile(seat: Seat, prepared: Prepared, deps: CallDeps): Promise<CallResult> {
  const was = await deps.calls.recorded(prepared.key);
  if (was) return replay(seat, prepared.call.tool, prepared.key, was, deps);
  throw new Refusal('BAILING_CALL_NOT_SENT', 'twin_not_sent', 'The identical call that was on its way did not leave, so nothing was sent.');
}
