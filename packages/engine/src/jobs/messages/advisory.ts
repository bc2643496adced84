import type { JobRow, Unresolved } from '../../ports/index.js';
import { settledLine } from '../../reconcile/settled-line.js';
import type { WorkerDeps } from '../worker.js';
import { ALERT } from './words.js';

/** What a dead letter of an alert says that may have arrived. */
export const MAY_HAVE_BEEN_SENT = 'It may have been sent';

/**
 * An alert is advisory: what may have arrived is taken as sent and never settled by a person. Its rows are completed with an answer that says so, in
 * the ledger by the hub; it is not sent again by itself.
 * @returns the sentence of its dead letter; null where the job is no alert, or a row is still on its way
 */
export async function letGo(job: JobRow, deps: WorkerDeps): Promise<string | null> {
  if (job.source !== ALERT) return null;
  const rows = await deps.reconcile.ofJob(job.id);
  for (const row of rows) if (!(await settled(row, deps))) return null;
  const why = rows[0]?.reason ?? '';
  return `${MAY_HAVE_BEEN_SENT}${why === '' ? '' : ` (${why})`}: its outcome is not known. It was not repeated; send it again where it is missed.`;
}

async function settled(row: Unresolved, deps: WorkerDeps): Promise<boolean> {
  const now = deps.clock.now();
  const word = { verdict: 'applied', by: 'hub', evidence: 'An alert: it may have been sent, and nobody has to find out.' } as const;
  const noted = settledLine(row, word, now);
  const { is } = await deps.reconcile.settle({
    ...{ id: row.id, attempt: row.attempt, job: row.key.job, ...word },
    answer: { ok: false, status: 504, text: `${MAY_HAVE_BEEN_SENT}.` },
    ...{ rerun: false, line: noted, rerunLine: noted, headStartMs: 0 },
  });
  if (is === 'settled') deps.calls.observe(noted);
  return is === 'settled' || is === 'again';
}
