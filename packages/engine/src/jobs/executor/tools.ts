import { DEFAULT_MAX_CALLS } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import { line } from '../../audit/index.js';
import { SEND_MESSAGE } from '../../messages/index.js';
import { call, frozenBy, refuse, type CallResult, type Proposal } from '../../calls/index.js';
import type { Open } from '../../ports/index.js';
import { orphaned } from '../orphans.js';
import { atWork, type AtWork } from './held.js';
import type { ExecutorDeps } from './deps.js';
import { definitions, toolDef } from './tools-block.js';

const MAX_NAMES = 20;
/** An invoke that repeats a write on its way is answered within a minute, which is what balancers and clients give a request. */
const PATIENCE_MS = 50_000;

/** Definitions by name (WIRE §3.3): looking at the menu is not ordering, so it costs no call. */
export async function toolDefs(jobId: string, token: string, names: readonly string[], deps: ExecutorDeps): Promise<readonly object[]> {
  const { seat } = await atWork(jobId, token, deps);
  const wanted = new Set(names.slice(0, MAX_NAMES));
  const defs = definitions(seat)
    .filter(({ name }) => wanted.has(name))
    .map(toolDef);
  const of = { job: jobId, requestId: seat.job.requestId };
  await deps.jobs.note([line('tool_lookup', of, deps.clock.now(), { names: [...wanted], found: defs.length })]);
  if (defs.length === 0)
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'names', detail: 'None of these names is a tool of this job.' });
  return defs;
}

/** One call of an executor through the governed exit (WIRE §3.4). */
export async function invokeTool(jobId: string, token: string, proposal: Proposal, deps: ExecutorDeps): Promise<CallResult> {
  const { seat, route, orphaned: any } = await standingAt(jobId, token, deps);
  const frozen = any ? await unresolvedOf(jobId, deps) : undefined;
  const tool = seat.view.tools.get(proposal.tool);
  if (frozen) return refuse(seat, proposal, { ...(tool && { tool }) }, frozenBy(frozen), deps.calls);
  if (proposal.tool === '') throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tool', detail: 'Name the tool to call.' });
  if (proposal.tool === SEND_MESSAGE && !tool)
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tool', detail: 'This route may send no messages.' });
  // Where a provider is missing, disabled or frozen, the exit says so.
  if (seat.view.tools.size === 0 && seat.view.unavailable.length === 0)
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tool', detail: 'This job has no tools.' });
  const result = await call({ ...seat, patienceMs: PATIENCE_MS }, proposal, deps.calls);
  if (result.code === 'BAILING_BUDGET_SPENT') {
    throw new BailingError('BAILING_BUDGET_SPENT', {
      detail: `All ${String(route.tools?.max_calls ?? DEFAULT_MAX_CALLS)} calls of this job are used.`,
    });
  }
  return result;
}

/** A journal that cannot be asked is told as such (row 4), whatever else is wrong. */
async function standingAt(jobId: string, token: string, deps: ExecutorDeps): Promise<AtWork> {
  try {
    return await atWork(jobId, token, deps);
  } catch (error) {
    if (error instanceof BailingError && !error.code.startsWith('BAILING_STORE_')) throw error;
    throw new BailingError('BAILING_JOURNAL_UNAVAILABLE');
  }
}

/** Row 3 and 4 of the table: an unresolved write answers every further call, before the call is even looked at. */
async function unresolvedOf(jobId: string, deps: ExecutorDeps): Promise<Open | undefined> {
  try {
    return orphaned(await deps.calls.calls.unresolved(jobId), deps.clock.now());
  } catch {
    throw new BailingError('BAILING_JOURNAL_UNAVAILABLE');
  }
}
