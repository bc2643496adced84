import { admin, operateOf, type Route } from '../route.js';

/** `GET /admin/api/diagnostics`: how this hub is, line by line, each with what to do. */
export const adminDiagnostics: Route = {
  method: 'GET',
  path: '/admin/api/diagnostics',
  access: ['admin'],
  async handle(request, hub) {
    admin(request);
    return { status: 200, body: { at: new Date().toISOString(), checks: await operateOf(hub).diagnostics() } };
  },
};
