import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOrdersService, type OrdersService, type OrdersServiceOptions } from '@bailing/example-orders-service';

export const SERVER_TOKEN = 'server-token-of-the-tests-0001';
export const CLIENT_TOKEN = 'client-token-of-the-tests-0001';
export const SECRET = 'provider-secret-of-the-tests';

export interface World {
  readonly folder: string;
  readonly configFile: string;
  readonly service: OrdersService;
  /** Calls the business let in, by tool. */
  readonly arrived: string[];
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly database?: string;
  /** YAML lines of `hub:`, two spaces in. */
  readonly hub?: string;
  /** `approval:` of the route's tools, in YAML flow form; told where the business listens. */
  readonly approval?: (serviceUrl: string) => string;
  /** One more YAML line of the provider. */
  readonly provider?: string;
  /** One more YAML line of the route. */
  readonly route?: string;
  /** More clients, two spaces in. */
  readonly clients?: string;
  /** More YAML at the top level. */
  readonly more?: string;
  readonly service?: Partial<OrdersServiceOptions>;
  readonly timeoutMs?: number;
}

/** A business service and a configuration for a hub beside it, in a folder of their own. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-world-'));
  const arrived: string[] = [];
  const service = await startOrdersService({
    secret: SECRET,
    ...options.service,
    onCall: async (tool, job) => {
      arrived.push(tool);
      await options.service?.onCall?.(tool, job);
    },
  });
  const configFile = path.join(folder, 'bailing.yaml');
  fs.writeFileSync(configFile, configText(folder, service, options));
  return {
    folder,
    configFile,
    service,
    arrived,
    close: async () => {
      await service.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configText(folder: string, service: OrdersService, options: WorldOptions): string {
  return `
hub:
  port: 0
  token: ${SERVER_TOKEN}
  database: ${options.database ?? `sqlite:${path.join(folder, 'hub.db')}`}
  log_level: info
${options.hub ?? ''}
clients:
  - { app_id: back-office, token: ${CLIENT_TOKEN}, allowed_routes: [orders], rate_limit_per_min: 0 }
${options.clients ?? ''}
tool_providers:
  - name: orders
    base_url: ${service.url}
    spec_source: url
    spec_url: ${service.url}/.well-known/bailing/tools.json
    secret: ${SECRET}
    rate_limit_per_min: 0
    timeout_ms: ${String(options.timeoutMs ?? 5_000)}
${options.provider === undefined ? '' : `    ${options.provider}`}
routes:
  - route_key: orders
    tools: { sources: [{ provider: orders, allow: ['order.*', 'refund.*'], subject_field: operator_uid }]${options.approval === undefined ? '' : `, approval: ${options.approval(service.url)}`} }
${options.route === undefined ? '' : `    ${options.route}`}
${options.more ?? ''}
`;
}
