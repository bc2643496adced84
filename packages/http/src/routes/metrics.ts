import { BailingError } from '@bailing/plugin-api';
import { fixAt, readToken } from '../auth.js';
import { refusal } from '../problem.js';
import type { Route } from '../route.js';

const NO_QUERY = new URLSearchParams();

/** `GET /metrics` (WIRE §2.8): 404 where it is not configured, 405 for other methods; its own token, in the header only. */
export const metrics: Route = {
  method: 'GET',
  path: '/metrics',
  access: 'own',
  served: (hub) => hub.metrics !== undefined,
  async handle(request, hub) {
    if (!hub.metrics) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
    if (!hub.metrics.admits(readToken(request.headers, NO_QUERY))) {
      const says = 'This path takes the metrics token of hub.metrics, as a Bearer header, and nothing else.';
      return {
        ...refusal('BAILING_REQUEST_UNAUTHORIZED', { expected: says, fix: fixAt('/metrics') }),
        headers: { 'www-authenticate': REALM },
      };
    }
    return { status: 200, ...(await hub.metrics.read()) };
  },
};

const REALM = 'Bearer realm="bailinghub-metrics"';
