import { executorCaller, executorsOf, json, type Route } from '../route.js';
import { readClaim } from './executor-request.js';

/** `POST /executor/claim` (WIRE §3.1): a long poll. A job whose answer does not reach the executor is given back at once. */
export const executorClaim: Route = {
  method: 'POST',
  path: '/executor/claim',
  access: ['executor', 'admin'],
  async handle(request, hub) {
    const handed = await executorsOf(hub).claim(executorCaller(request), readClaim(json(request)), request.signal);
    if (handed === 'paused') return { status: 200, body: { job: null, paused: true } };
    if (handed === null) return { status: 200, body: { job: null } };
    return { status: 200, body: { job: handed.body }, delivery: handed };
  },
};
