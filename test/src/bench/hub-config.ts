export const SECRET = 'provider-secret-of-the-benchmark';
export const SERVER_TOKEN = 'server-token-of-the-benchmark-0001';
export const CLIENT_TOKEN = 'client-token-of-the-benchmark-0001';
export const EXECUTOR_TOKEN = 'executor-token-of-the-benchmark-1';
export const EXECUTOR_TARGET = 'bench';
/** Most calls a route grants one job (WIRE §3.2). */
export const CALLS_PER_JOB = 50;

/** A route of the benchmark: its document is `/tools/<document>.json` of the business. */
export interface BenchRoute {
  readonly name: string;
  readonly document: string;
}

/**
 * The configuration of a hub beside the business. Everything is as an operator would have it: payloads are logged, a subject is
 * required, and the provider's rate limit is on (and never reached), so that every call spends from it.
 */
export function hubConfig(options: {
  readonly database: string;
  readonly business: string;
  readonly routes: readonly BenchRoute[];
}): string {
  const { database, business, routes } = options;
  return `
hub:
  port: 0
  token: ${SERVER_TOKEN}
  database: ${JSON.stringify(database)}
  log_level: info
clients:
  - { app_id: bench, token: ${CLIENT_TOKEN}, allowed_routes: ['*'], rate_limit_per_min: 0 }
executor_tokens:
  - { name: bench, token: ${EXECUTOR_TOKEN}, allowed_targets: ['*'] }
targets:
  - { name: ${EXECUTOR_TARGET} }
tool_providers:
${routes.map(({ name, document }) => provider(name, `${business}/tools/${document}.json`, business)).join('\n')}
routes:
${routes.map(({ name }) => route(name)).join('\n')}
`;
}

function provider(name: string, spec: string, business: string): string {
  return `  - name: ${name}
    base_url: ${business}
    spec_source: url
    spec_url: ${spec}
    secret: ${SECRET}
    rate_limit_per_min: 1000000
    timeout_ms: 10000`;
}

function route(name: string): string {
  return `  - route_key: ${name}
    target: ${EXECUTOR_TARGET}
    tools:
      max_calls: ${String(CALLS_PER_JOB)}
      sources: [{ provider: ${name}, allow: ['*'], subject_field: operator_uid }]`;
}
