import type { FrozenRow, SpecFact, Store } from '@bailing/engine/ports';
import type { FrozenView, RefreshView, ToolProvidersApi, ToolProviderView } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import type { Catalogue } from '@bailing/engine';
import { publicWarnings } from './public-warning.js';
import type { OpenProvider, Providers } from './providers.js';
import { toolsView } from './tools-view.js';

export interface ToolProvidersDeps {
  readonly providers: Providers;
  readonly store: Pick<Store, 'specs' | 'revisions'>;
  readonly catalogue: Catalogue;
}

/** Tool sources behind the HTTP service. */
export function toolProviders(deps: ToolProvidersDeps): Omit<ToolProvidersApi, 'debugInvoke'> {
  const { providers, catalogue, store } = deps;
  return {
    view: (name) => providerView(providers.one(name), deps),
    refresh: (name) => refresh(name, deps),
    tools: (name) => Promise.resolve(toolsView(catalogue.current(providers.one(name).row.name))),
    authzProbe: (name) => providers.probe(name),
    accept: async (name, tools, by) => {
      const accepted = await providers.accept(name, tools, by.name);
      if (accepted.length === 0)
        throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tools', detail: 'None of these tools is frozen.' });
      return { ok: true, accepted, frozen: frozenViews((await store.revisions.state(name))?.frozen ?? []) };
    },
  };
}

async function refresh(name: string, { providers, store, catalogue }: ToolProvidersDeps): Promise<RefreshView> {
  const open = providers.one(name);
  const result = await providers.refresh(name, 'manual');
  if (!result.ok) throw new BailingError('BAILING_SPEC_REFRESH_FAILED', { detail: `${result.code ?? ''}: ${result.says ?? ''}` });
  const { tools, added, removed, changed, facts } = result;
  return {
    ok: true,
    ...{ tools, added, removed, changed },
    facts: looserFirst(facts),
    frozen: frozenViews((await store.revisions.state(name))?.frozen ?? []),
    authz_probe: await providers.probe(name),
    warnings: publicWarnings(open.resource, catalogue.current(name)),
  };
}

async function providerView({ resource, overlay }: OpenProvider, { store, catalogue }: ToolProvidersDeps): Promise<ToolProviderView> {
  const { name } = resource;
  const byUrl = resource.spec_source === 'url';
  const [spec, state] = await Promise.all([byUrl ? store.specs.get(name) : null, store.revisions.state(name)]);
  const revision = catalogue.current(name);
  return {
    name,
    kind: resource.kind,
    enabled: resource.enabled,
    base_url: resource.base_url,
    spec_source: resource.spec_source,
    ...(resource.spec_url !== undefined && { spec_url: resource.spec_url }),
    spec_access_policy: byUrl ? resource.spec_access_policy : null,
    spec_access_probe: spec?.probe ?? null,
    spec_refreshed_at: spec?.refreshedAt == null ? null : new Date(spec.refreshedAt).toISOString(),
    has_spec: revision !== undefined,
    auto_refresh_min: resource.auto_refresh_min,
    on_looser: resource.on_looser,
    overlay: overlay !== null,
    tools: revision?.tools.size ?? 0,
    revision: revision?.id ?? null,
    frozen: frozenViews(state?.frozen ?? []),
    authz_probe: state?.authz ?? null,
    warnings: publicWarnings(resource, revision),
  };
}

function frozenViews(rows: readonly FrozenRow[]): FrozenView[] {
  return rows.map(({ tool, since, facts }) => ({ tool, since: new Date(since).toISOString(), facts }));
}

const ORDER = ['looser', 'tighter', 'neutral'];

function looserFirst(facts: readonly SpecFact[]): readonly SpecFact[] {
  return [...facts].sort((a, b) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction));
}
