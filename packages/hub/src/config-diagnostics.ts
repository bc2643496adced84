import { scopeAllowed, type Catalogue } from '@bailing/engine';
import type { Check } from '@bailing/http';
import type { BailingConfig } from '@bailing/resources';

type Current = Pick<Catalogue, 'current'>;
const warn = (check: string, says: string, fix: string): Check => ({ check, is: 'warn', says, fix });

/** What fits together and still leads nowhere: routes whose sources grant nothing, what is disabled and named all the same. Reads nothing but memory. */
export function configDiagnostics(config: BailingConfig, catalogue: Current): readonly Check[] {
  const used = new Set(config.routes.flatMap((route) => (route.tools?.sources ?? []).map(({ provider }) => provider)));
  return [
    ...config.routes.flatMap((route) => ofRoute(route, config, catalogue)),
    ...config.tool_providers
      .filter(({ name, enabled }) => enabled && !used.has(name))
      .map(({ name }) => warn(`provider ${name}`, 'No route uses it.', 'Name it in tools.sources of a route, or take it out.')),
  ];
}

function ofRoute(route: BailingConfig['routes'][number], config: BailingConfig, catalogue: Current): Check[] {
  const check = `route ${route.route_key}`;
  if (!route.enabled) return [warn(check, 'It is disabled.', 'Set enabled: true, if it is to work.')];
  const found = (route.tools?.sources ?? []).flatMap(({ provider, allow }) => {
    if (config.tool_providers.find(({ name }) => name === provider)?.enabled === false)
      return [warn(check, `Its provider ${provider} is disabled.`, `Set enabled: true for the provider ${provider}.`)];
    const tools = catalogue.current(provider)?.tools;
    const scopes = [...(tools?.values() ?? [])].map(({ definition }) => definition.scope);
    const idle = tools ? allow.filter((pattern) => !scopes.some((scope) => scopeAllowed(scope, [pattern]))) : [];
    return idle.map((pattern) => warn(check, `Its allow entry ${JSON.stringify(pattern)} grants nothing of ${provider}.`, FIX));
  });
  return found.length > 0 ? found : [{ check, is: 'ok', says: 'everything it names is there', fix: '' }];
}

const FIX = 'Write a scope of the document; bailing explain --route lists them.';
