import { timingSafeEqual } from 'node:crypto';
import { toolToken } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import type { Seat } from '../../calls/index.js';
import type { RouteSettings } from '../../ports/index.js';
import { orphanedBefore } from '../orphans.js';
import { routeOfJob } from '../route-of-job.js';
import { seatFor, seatedOf, type Seated } from '../seat-of.js';
import type { ExecutorDeps } from './deps.js';

export interface AtWork {
  readonly seat: Seat;
  readonly route: RouteSettings;
  /** A write of the job has no outcome and nobody will bring it any more. */
  readonly orphaned: boolean;
}

/** An executor's work is not aborted by the hub: its calls end with their own time limits. */
const NEVER = new AbortController().signal;

/**
 * The seat behind a tool token (WIRE §1.3): it lives while the job is dispatched under the claim it was derived from; a re-dispatch or any end
 * kills it. One small read a call; the job itself is read once per claim.
 * @throws BailingError 401 for a dead or wrong token, 404 for an unknown job where something like a token came
 */
export async function atWork(jobId: string, token: string, deps: ExecutorDeps): Promise<AtWork> {
  // Whoever brings nothing that could be a tool token learns nothing about which jobs there are (WIRE §3.4, row 1, is for those who bring one).
  if (!TOOL_TOKEN.test(token)) throw notYours();
  const standing = await deps.jobs.standing(jobId, orphanedBefore(deps.clock.now()));
  if (!standing) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  const { status, claim, orphaned } = standing;
  const live = status === 'dispatched' && claim !== null && sameToken(toolToken(deps.serverToken, jobId, claim), token);
  const seated = live ? await seatedUnder(jobId, claim, deps) : null;
  const route = seated && (await routeOfJob(seated.job, deps));
  if (!live || !seated || !route) throw notYours();
  const seat = await seatFor({ job: jobId, claim, replica: deps.replica }, seated, route, NEVER, deps);
  return { seat, route, orphaned };
}

const TOOL_TOKEN = /^[0-9a-f]{64}$/;

function notYours(): BailingError {
  return new BailingError('BAILING_REQUEST_UNAUTHORIZED', {
    detail: 'This tool token is wrong, or its job is not dispatched under it any more.',
  });
}

/** Null where the job moved on between two reads. */
async function seatedUnder(jobId: string, claim: string, deps: ExecutorDeps): Promise<Seated | null> {
  const known = deps.seated.of(claim);
  if (known) return known.job.id === jobId ? known : null;
  const held = await deps.jobs.holding(jobId);
  if (held?.claim !== claim) return null;
  const seated = seatedOf(held.job);
  deps.seated.keep(claim, seated, held.job.metadata.length);
  return seated;
}

function sameToken(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}
