import type { Clock, Log } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Seat } from '../calls/index.js';
import type { ConversationStore, JobRow, Line, RouteSettings, Settings } from '../ports/index.js';
import { type Background } from './assemble-input.js';
import { recall } from './recall.js';
import { remembering } from './remembering.js';
import { askContexts, type Contexts, type Provided } from './providers.js';

export interface BackgroundDeps {
  /** Providers in their order; absent: none. */
  readonly contexts?: Contexts;
  /** Absent: nothing is remembered. */
  readonly conversations?: ConversationStore;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
}

interface Found {
  readonly background: Background;
  readonly lines: readonly Line[];
}

/** What a job's brain is given besides the request, and the audit lines that say so. */
export async function backgroundOf(seat: Seat, job: JobRow, route: RouteSettings, deps: BackgroundDeps): Promise<Found> {
  const [provided, memory] = await Promise.all([providedTo(seat, job, deps), memoryOf(job, route, deps)]);
  const lines = provided.flatMap((one) => linesOf(one, job, deps.clock.now()));
  return { background: { blocks: provided.flatMap(({ blocks }) => blocks), memory: memory.text }, lines: [...lines, ...memory.lines] };
}

async function providedTo(seat: Seat, job: JobRow, deps: BackgroundDeps): Promise<readonly Provided[]> {
  const contexts = deps.contexts ?? [];
  if (contexts.length === 0) return [];
  const { id, requestId, route, client, source, metadata } = seat.job;
  const request = {
    job: { id, requestId, route, client, source },
    input: job.input,
    metadata,
    principal: job.principalId,
    session: { id: job.sessionId, isContinue: job.isContinue },
  };
  return askContexts(request, seat.signal, { contexts, log: deps.log });
}

async function memoryOf(job: JobRow, route: RouteSettings, deps: BackgroundDeps): Promise<{ text: string | null; lines: readonly Line[] }> {
  const what = deps.conversations && remembering(job, route, deps.settings());
  const recalled = deps.conversations && what ? await recall(job, what, deps.conversations) : null;
  if (!what || !recalled) return { text: null, lines: [] };
  const { text, messages, summarised } = recalled;
  const detail = { thread_id: what.of.thread, messages, chars: text.length, summarised };
  return { text, lines: [line('memory_added', { job: job.id, requestId: job.requestId }, deps.clock.now(), detail)] };
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
