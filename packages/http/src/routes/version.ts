import type { Route } from '../route.js';

/** `GET /version` (WIRE §2.8). */
export const version: Route = {
  method: 'GET',
  path: '/version',
  access: 'public',
  async handle(_request, hub) {
    return { status: 200, body: await hub.version() };
  },
};
