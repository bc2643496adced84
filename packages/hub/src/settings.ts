import type { Settings, TargetSettings } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import type { BailingConfig, ToolProviderResource } from '@bailing/resources';

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

/** What a provider's connections and tools were made from. */
function connection(provider: ToolProviderResource): unknown {
  const { name, kind, base_url, spec_source, spec_url, spec_json, overlay, spec_access_policy, secret } = provider;
  return [name, kind, base_url, spec_source, spec_url ?? null, spec_json ?? null, overlay ?? null, spec_access_policy, secret];
}

/**
 * Plugins, the process's own settings, credentials and the providers' connections are opened once, at boot.
 * @throws BailingError BAILING_CONFIG_INVALID naming what needs a restart
 */
export function refuseRestartChanges(before: BailingConfig, after: BailingConfig): void {
  const parts: readonly (readonly [string, (config: BailingConfig) => unknown])[] = [
    ['hub', ({ hub }) => hub],
    ['plugins', ({ plugins }) => plugins],
    ['services', ({ services }) => services],
    ['inputs', ({ inputs }) => inputs],
    ['credentials', ({ credentials }) => credentials],
    ['tool_providers', ({ tool_providers: providers }) => providers.map(connection)],
  ];
  const changed = parts.filter(([, part]) => JSON.stringify(part(before)) !== JSON.stringify(part(after))).map(([name]) => name);
  if (changed.length === 0) return;
  throw new BailingError('BAILING_CONFIG_INVALID', { detail: `A change of ${changed.join(', ')} needs a restart; nothing was swapped.` });
}
