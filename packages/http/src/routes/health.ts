import type { Route } from '../route.js';

/** `GET /health` (WIRE §2.8): 200 while the process answers, also when paused. */
export const health: Route = {
  method: 'GET',
  path: '/health',
  access: 'public',
  async handle(_request, hub) {
    return { status: 200, body: { status: 'ok', ...(await hub.health()) } };
  },
};
