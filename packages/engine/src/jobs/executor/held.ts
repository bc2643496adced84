import { timingSafeEqual } from 'node:crypto';
import { toolToken } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import type { Seat } from '../../calls/index.js';
import type { RouteSettings } from '../../ports/index.js';
import { seatOf } from '../seat-of.js';
import type { ExecutorDeps } from './deps.js';

export interface AtWork {
  readonly seat: Seat;
  readonly route: RouteSettings;
}

/**
 * The seat behind a tool token (WIRE §1.3): it lives while the job is dispatched under the claim it was derived from; a re-dispatch or any end
 * kills it.
 * @throws BailingError 404 for an unknown job, 401 for a dead or wrong token
 */
export async function atWork(jobId: string, token: string, deps: ExecutorDeps): Promise<AtWork> {
  const held = await deps.jobs.holding(jobId);
  if (!held) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  const { job, claim } = held;
  const live = job.status === 'dispatched' && claim !== null && sameToken(toolToken(deps.serverToken, jobId, claim), token);
  const route = deps.settings().route(job.route);
  if (!live || !route)
    throw new BailingError('BAILING_REQUEST_UNAUTHORIZED', {
      detail: 'This tool token is wrong, or its job is not dispatched under it any more.',
    });
  const seat = await seatOf({ by: { job: jobId, claim, replica: deps.replica }, job }, route, new AbortController().signal, deps);
  return { seat, route };
}

function sameToken(expected: string, given: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1'));
}
