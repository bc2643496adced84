export interface DemoSettings {
  readonly serviceUrl: string;
  readonly secret: string;
  readonly serverToken: string;
  readonly clientToken: string;
}

/** The configuration the demo runs with, written beside its database so that it can be read and tried. Its secrets were made for this run. */
export function demoConfig({ serviceUrl, secret, serverToken, clientToken }: DemoSettings): string {
  return `# Made by \`bailing demo\`. In a configuration of your own write secrets as \${NAME} and keep them in the environment.
hub:
  port: 0
  token: ${serverToken}
  database: sqlite:./hub.db
  log_level: warn
clients:
  - app_id: back-office
    token: ${clientToken}
    allowed_routes: [orders]
tool_providers:
  - name: orders
    base_url: ${serviceUrl}
    spec_source: url
    spec_url: ${serviceUrl}/.well-known/bailing/tools.json
    secret: ${secret}
routes:
  - route_key: orders
    name: Order desk
    tools:
      sources:
        - provider: orders
          allow: [order.*, refund.*]
          subject_field: operator_uid
      max_calls: 5
`;
}
