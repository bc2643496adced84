import fs from 'node:fs';
import path from 'node:path';
import { readConfig, type BailingConfig } from '@bailing/resources';
import { createSchemaCheck } from '@bailing/schema';
import { shopDocument } from './counting-business.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN } from './world.js';

export const EXECUTOR_TOKEN = 'executor-token-of-the-tests-01';

export interface ShopOptions {
  readonly database: string;
  /** Where the business is. */
  readonly url: string;
  /** `my-agent` is worked on by executors, `llm` by the scripted model in the hub. */
  readonly target?: 'llm' | 'my-agent';
  readonly maxCalls?: number;
  /** Calls a minute of the provider; 0 is unlimited. */
  readonly providerRate?: number;
  /** Submissions a minute of the client; 0 is unlimited. */
  readonly clientRate?: number;
  readonly retries?: number;
  readonly timeoutMs?: number;
  readonly leaseMs?: number;
  /** Serve the document from the business instead of the configuration. */
  readonly document?: object;
  readonly resultMaxBytes?: number;
  readonly allow?: readonly string[];
  readonly metricsToken?: string;
  /** `log_payload` of the provider; its default where absent. */
  readonly logPayload?: boolean;
  readonly auditDays?: number;
}

/** A hub configuration beside a counting business, as JSON, which is YAML too. */
export function shopConfig(options: ShopOptions): string {
  return JSON.stringify({
    hub: {
      port: 0,
      token: SERVER_TOKEN,
      database: options.database,
      log_level: 'warn',
      lease_ms: options.leaseMs ?? 1_000,
      shutdown_drain_ms: 2_000,
      ...(options.auditDays !== undefined && { audit_retention_days: options.auditDays }),
      ...(options.metricsToken !== undefined && { metrics: { token: options.metricsToken } }),
    },
    clients: [{ app_id: 'back-office', token: CLIENT_TOKEN, allowed_routes: ['orders'], rate_limit_per_min: options.clientRate ?? 0 }],
    credentials: [{ name: 'script', provider: 'script' }],
    targets: [{ name: 'my-agent' }],
    executor_tokens: [{ name: 'workers', token: EXECUTOR_TOKEN, allowed_targets: ['my-agent'] }],
    tool_providers: [providerOf(options)],
    routes: [routeOf(options)],
  });
}

function providerOf({ url, providerRate, timeoutMs, document, resultMaxBytes, logPayload }: ShopOptions): object {
  return {
    name: 'shop',
    base_url: url,
    spec_json: document ?? shopDocument(),
    secret: SECRET,
    timeout_ms: timeoutMs ?? 1_000,
    rate_limit_per_min: providerRate ?? 0,
    ...(logPayload !== undefined && { log_payload: logPayload }),
    ...(resultMaxBytes !== undefined && { result_max_bytes: resultMaxBytes }),
  };
}

function routeOf({ target, maxCalls, retries, allow }: ShopOptions): object {
  return {
    route_key: 'orders',
    target: target ?? 'llm',
    target_config: { credential: 'script' },
    retry: { max: retries ?? 0, backoff_ms: 500 },
    tools: {
      max_calls: maxCalls ?? 10,
      sources: [{ provider: 'shop', allow: allow ?? ['order.*', 'refund.*'], subject_field: 'operator_uid' }],
    },
  };
}

/** One room for all: the schema of the configuration is compiled once. */
const room = createSchemaCheck();

/** Places that take no part in reading a configuration: they are put in afterwards. */
const NOWHERE = { database: 'sqlite:nowhere.db', url: 'http://127.0.0.1:1' };
const known = new Map<string, BailingConfig>();

/** The configuration as a hub takes it. Shops that differ in their addresses alone are read once. */
export function readShop({ database, url, ...rest }: ShopOptions): BailingConfig {
  const key = JSON.stringify(rest);
  const config = known.get(key) ?? readOnce({ ...rest, ...NOWHERE });
  known.set(key, config);
  const providers = config.tool_providers.map((provider) => ({ ...provider, base_url: url }));
  return { ...config, hub: { ...config.hub, database }, tool_providers: providers };
}

function readOnce(options: ShopOptions): BailingConfig {
  const read = readConfig(shopConfig(options), { env: {}, readFile: () => '' }, room);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.config;
}

/** Writes a configuration that was read already into a folder, for a hub in a process of its own; answers the file's name. */
export function writeShop(folder: string, options: ShopOptions): string {
  const file = path.join(folder, 'config.json');
  fs.writeFileSync(file, JSON.stringify(readShop(options)));
  return file;
}
