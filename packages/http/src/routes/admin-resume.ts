import { admin, type Route } from '../route.js';

/** `POST /admin/resume` (WIRE §2.9). */
export const adminResume: Route = {
  method: 'POST',
  path: '/admin/resume',
  access: ['admin'],
  async handle(request, hub) {
    await hub.resume(admin(request));
    return { status: 200, body: { paused: false } };
  },
};
