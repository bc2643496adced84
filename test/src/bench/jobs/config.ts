import path from 'node:path';
import { root } from '../../support/root.js';
import { CLIENT_TOKEN, EXECUTOR_TARGET, EXECUTOR_TOKEN, SECRET, SERVER_TOKEN } from '../hub-config.js';

/** Jobs that a hub of this benchmark advances at once. */
export const CONCURRENCY = 16;

/** A model that answers at once, so that what is measured is the hub. */
const MODEL = path.join(root, 'test', 'dist', 'support', 'desk-model.js');

/** A hub with a model loop whose model takes no time (`talk`), the same with a business (`call`), and an executor's route (`hand-over`). */
export function jobsConfig({ database, business }: { readonly database: string; readonly business: string }): string {
  const model = { credential: 'instant' };
  return JSON.stringify({
    hub: { port: 0, token: SERVER_TOKEN, database, log_level: 'warn', concurrency: CONCURRENCY },
    plugins: [MODEL],
    clients: [{ app_id: 'bench', token: CLIENT_TOKEN, allowed_routes: ['*'], rate_limit_per_min: 0 }],
    executor_tokens: [{ name: 'bench', token: EXECUTOR_TOKEN, allowed_targets: ['*'] }],
    targets: [{ name: EXECUTOR_TARGET }],
    credentials: [{ name: 'instant', provider: 'desk-script' }],
    tool_providers: [
      { name: 'shop', base_url: business, spec_source: 'url', spec_url: `${business}/tools/2.json`, secret: SECRET, rate_limit_per_min: 0 },
    ],
    routes: [
      { route_key: 'talk', target_config: model },
      { route_key: 'call', target_config: model, tools: { sources: [{ provider: 'shop', allow: ['*'], subject_field: 'operator_uid' }] } },
      { route_key: 'hand-over', target: EXECUTOR_TARGET },
    ],
  });
}
