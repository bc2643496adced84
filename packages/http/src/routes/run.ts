import { readTraceContext } from '@bailing/contract';
import type { Accepted } from '../hub-api.js';
import { clientOrAdmin, json, type Route } from '../route.js';
import { refusal } from '../problem.js';
import { readRunRequest } from './run-request.js';

/** `POST /run` (WIRE §2): accepts a job, idempotently by request_id. */
export const run: Route = {
  method: 'POST',
  path: '/run',
  access: ['admin', 'client'],
  async handle(request, hub) {
    const caller = clientOrAdmin(request);
    await hub.refuseWhilePaused();
    const trace = readTraceContext(request.headers['traceparent'], request.headers['tracestate']);
    const outcome = await hub.run(caller, { ...readRunRequest(json(request), caller), ...(trace && { trace }) });
    if (outcome.is !== 'unrouted') return { status: 202, body: accepted(outcome) };
    const { decision } = outcome;
    const code = decision.error === 'route_auto_ambiguous' ? 'BAILING_ROUTE_AUTO_AMBIGUOUS' : 'BAILING_ROUTE_AUTO_NO_MATCH';
    return refusal(code, { at: 'route', decision });
  },
};

/** The full form for a new job, the short one for a replay (WIRE §2.3). */
function accepted(outcome: Exclude<Accepted, { is: 'unrouted' }>): Record<string, unknown> {
  const { job } = outcome;
  const short = { job_id: job.id, status: job.status, request_id: job.requestId };
  if (outcome.is === 'same') return short;
  return { ...short, route: job.route, target: job.target, session_id: outcome.session.id, continue: outcome.session.isContinue };
}
