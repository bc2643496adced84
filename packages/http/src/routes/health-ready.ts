import type { Route } from '../route.js';

/** `GET /health/ready` (WIRE §2.8): 503 while the database or its migrations are not. */
export const healthReady: Route = {
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  async handle(_request, hub) {
    const { ready, checks } = await hub.ready();
    return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not_ready', checks } };
  },
};
