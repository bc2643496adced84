import { executorCaller, executorsOf, json, type Route } from '../route.js';
import { readHeartbeat } from './executor-request.js';

/** `POST /executor/heartbeat` (WIRE §3.5): extends the leases of this executor. */
export const executorHeartbeat: Route = {
  method: 'POST',
  path: '/executor/heartbeat',
  access: ['executor', 'admin'],
  async handle(request, hub) {
    await executorsOf(hub).heartbeat(executorCaller(request), readHeartbeat(json(request)));
    return { status: 200, body: { ok: true } };
  },
};
