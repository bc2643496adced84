import { admin, type Route } from '../route.js';

/** `POST /admin/pause` (WIRE §2.9): the kill switch. Jobs that run stop at their next call. */
export const adminPause: Route = {
  method: 'POST',
  path: '/admin/pause',
  access: ['admin'],
  async handle(request, hub) {
    await hub.pause(admin(request));
    return { status: 200, body: { paused: true } };
  },
};
