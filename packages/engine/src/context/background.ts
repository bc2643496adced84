import type { Clock, Log } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Seat } from '../calls/index.js';
import type { JobRow, Line } from '../ports/index.js';
import { NO_BACKGROUND, type Background } from './assemble-input.js';
import { askContexts, type Contexts, type Provided } from './providers.js';

export interface BackgroundDeps {
  /** Providers in their order; absent: none. */
  readonly contexts?: Contexts;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a job's brain is given besides the request, and the audit lines that say so. */
export async function backgroundOf(
  seat: Seat,
  job: JobRow,
  deps: BackgroundDeps,
): Promise<{ readonly background: Background; readonly lines: readonly Line[] }> {
  const contexts = deps.contexts ?? [];
  if (contexts.length === 0) return { background: NO_BACKGROUND, lines: [] };
  const { id, requestId, route, client, source, metadata } = seat.job;
  const request = {
    job: { id, requestId, route, client, source },
    input: job.input,
    metadata,
    principal: job.principalId,
    session: { id: job.sessionId, isContinue: job.isContinue },
  };
  const provided = await askContexts(request, seat.signal, { contexts, log: deps.log });
  const lines = provided.flatMap((one) => linesOf(one, job, deps.clock.now()));
  return { background: { ...NO_BACKGROUND, blocks: provided.flatMap(({ blocks }) => blocks) }, lines };
}

/** What was added is named by its labels; the texts themselves stay out of the ledger. */
function linesOf({ by, blocks, error }: Provided, job: JobRow, now: number): Line[] {
  const of = { job: job.id, requestId: job.requestId };
  const failed = error === undefined ? [] : [line('context_error', of, now, { provider: by, error })];
  if (blocks.length === 0) return failed;
  const labels = blocks.map(({ label }) => label.slice(0, 100).toWellFormed());
  const chars = blocks.reduce((sum, { text }) => sum + text.length, 0);
  return [...failed, line('context_added', of, now, { provider: by, blocks: blocks.length, chars, labels })];
}
