import type { Settings, TargetSettings } from '@bailing/engine/ports';
import type { BailingConfig } from '@bailing/resources';

/** The configuration as the engine reads it: one immutable value, every lookup a map access. */
export function toSettings(config: BailingConfig, rev: number): Settings {
  const routes = new Map(config.routes.map((route) => [route.route_key, route]));
  const clients = new Map(config.clients.map((client) => [client.app_id, client]));
  const providers = new Map(config.tool_providers.map((provider) => [provider.name, provider]));
  const llm: TargetSettings = Object.freeze({ name: 'llm', kind: 'inhub', enabled: true, timeout_ms: 120_000 });
  const targets = new Map<string, TargetSettings>([['llm', llm], ...config.targets.map((target) => [target.name, target] as const)]);
  return Object.freeze({
    rev,
    route: (key: string) => routes.get(key),
    routes: () => config.routes,
    client: (appId: string) => clients.get(appId),
    provider: (name: string) => providers.get(name),
    target: (name: string) => targets.get(name),
  });
}
