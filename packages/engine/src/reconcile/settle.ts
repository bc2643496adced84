import type { Clock } from '@bailing/plugin-api';
import { HEAD_START_MS } from '../approvals/index.js';
import { line } from '../audit/index.js';
import { settledAnswer } from '../calls/result.js';
import { DEBUG_INVOKE } from '../jobs/debug/words.js';
import { CHANNEL_SEND } from '../jobs/messages/words.js';
import type { JobStore, Line, ReconcileStore, Settings, Settled, Unresolved, Wakeups } from '../ports/index.js';
import { settledLine, type SettledWord } from './settled-line.js';

export interface SettleDeps {
  readonly reconcile: ReconcileStore;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly observe: (line: Line) => void;
}

export interface SettleWord extends SettledWord {
  /** Whether an ended job goes on: its answer is then delivered as any other. */
  readonly rerun: boolean;
}

export type SettleOutcome = Settled | { readonly is: 'left' };

/**
 * Settles one unresolved write (WIRE §8.3). `applied`: a repeated call is answered with the evidence. `not_applied`: released for one fresh
 * dispatch under the same key when the brain or the operator asks again. Nothing is dispatched from here: a job that is one message or
 * one debug call has no brain to ask, and running it again would be to send it, so it ends as not sent; a message runs again when an operator says so.
 */
export async function settleUnknown(row: Unresolved, word: SettleWord, deps: SettleDeps): Promise<SettleOutcome> {
  const now = deps.clock.now();
  const noted = settledLine(row, word, now);
  if (word.verdict === 'unknown') {
    const still = await deps.reconcile.note(row.id, noted);
    if (still) deps.observe(noted);
    return still ? { is: 'left' } : { is: 'unknown' };
  }
  const of = { job: row.key.job, requestId: row.requestId };
  const job = await deps.jobs.get(row.key.job);
  const unsent = word.verdict === 'not_applied' && (job?.target === CHANNEL_SEND || job?.target === DEBUG_INVOKE);
  const settled = await deps.reconcile.settle({
    ...{ id: row.id, attempt: row.attempt, job: row.key.job, verdict: word.verdict, by: word.by, evidence: word.evidence },
    answer: settledAnswer(word.by, word.evidence),
    ...(unsent ? { rerun: false, endsWith: NOT_SENT } : { rerun: word.rerun }),
    line: noted,
    rerunLine: line('rerun', of, now, { by: word.by, via: `settlement_${String(row.id)}` }),
    headStartMs: job && deps.settings().target(job.target)?.kind === 'executor' ? HEAD_START_MS : 0,
  });
  if (settled.is !== 'settled') return settled;
  deps.observe(noted);
  if (settled.rerun && job) {
    deps.wakeups.notify(`jobs:${job.target}`);
    deps.wakeups.notify('approved');
  }
  return settled;
}

const NOT_SENT = 'Not sent: an operator settled it as not applied.';
