import { BUILTIN, BUILTIN_PROVIDER } from '@bailing/engine';
import type { ProviderSettings, RouteSettings, Settings, TargetSettings } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';

/** What a job of an administrator runs through that names no route (WIRE §2.1): the hub's own model, no tools, a session of its own. */
const NO_ROUTE: RouteSettings = Object.freeze({
  ...{ route_key: '', name: '', enabled: true, target: 'llm', target_config: {}, profile: 'readonly', session_policy: 'new' as const },
});

/** The configuration as the engine reads it: one immutable value, every lookup a map access. */
export function toSettings(config: BailingConfig, rev: number): Settings {
  const routes = new Map(config.routes.map((route) => [route.route_key, route]));
  const clients = new Map(config.clients.map((client) => [client.app_id, client]));
  const named = config.tool_providers.map((provider) => [provider.name, provider] as const);
  const providers = new Map<string, ProviderSettings>([...named, [BUILTIN, BUILTIN_PROVIDER]]);
  const llm: TargetSettings = Object.freeze({ name: 'llm', kind: 'inhub', enabled: true, timeout_ms: 120_000, stateless: true });
  const targets = new Map<string, TargetSettings>([['llm', llm], ...config.targets.map((target) => [target.name, target] as const)]);
  return Object.freeze({
    rev,
    route: (key: string) => routes.get(key) ?? (key === '' ? NO_ROUTE : undefined),
    routes: () => config.routes,
    client: (appId: string) => clients.get(appId),
    provider: (name: string) => providers.get(name),
    target: (name: string) => targets.get(name),
    channels: () => config.channels,
  });
}

/**
 * Plugins and the process's own settings are opened once, at boot.
 * @throws BailingError BAILING_CONFIG_INVALID naming what needs a restart
 */
export function refuseRestartChanges(before: BailingConfig, after: BailingConfig): void {
  const parts: readonly (readonly [string, (config: BailingConfig) => unknown])[] = [
    ['hub', ({ hub }) => hub],
    ['plugins', ({ plugins }) => plugins],
    ['services', ({ services }) => services],
    ['inputs', ({ inputs }) => inputs],
  ];
  const changed = parts.filter(([, part]) => JSON.stringify(part(before)) !== JSON.stringify(part(after))).map(([name]) => name);
  if (changed.length === 0) return;
  throw new BailingError('BAILING_CONFIG_INVALID', { detail: `A change of ${changed.join(', ')} needs a restart; nothing was swapped.` });
}
