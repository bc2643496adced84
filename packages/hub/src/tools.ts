import { Pins, type Catalogue, type RefreshDeps } from '@bailing/engine';
import type { Settings, Store } from '@bailing/engine/ports';
import type { ToolProvidersApi } from '@bailing/http';
import type { Contributed } from '@bailing/kernel';
import { judgeChanges } from '@bailing/openapi';
import { createHttp, type HostRules } from '@bailing/outbound';
import type { Clock, Log, SchemaCheck, ToolSourceKind } from '@bailing/plugin-api';
import type { ToolProviderResource } from '@bailing/resources';
import { publicWarnings } from './public-warning.js';
import { Providers } from './providers.js';
import { SpecDuty } from './spec-duty.js';
import { toolProviders } from './tool-providers.js';

export interface ToolsOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly schema: SchemaCheck;
  readonly clock: Clock;
  readonly log: Log;
  readonly providers: readonly ToolProviderResource[];
  readonly kinds: readonly Contributed<ToolSourceKind>[];
  readonly hosts: HostRules;
  readonly settings: () => Settings;
  readonly watchMs?: number;
  readonly tickMs?: number;
}

/** Everything around tools: the businesses they come from, their revisions, and the operators' door to them. */
export interface Tools {
  readonly providers: Providers;
  readonly duty: SpecDuty;
  readonly api: Omit<ToolProvidersApi, 'debugInvoke'>;
  close(): Promise<void>;
}

/** @throws BailingError BAILING_CONFIG_INVALID where no plugin knows a provider's kind */
export function openTools(options: ToolsOptions): Tools {
  const { store, catalogue, schema, clock, log, settings, watchMs, tickMs } = options;
  const http = createHttp({ hosts: options.hosts });
  const refresh: RefreshDeps = {
    ...{ specs: store.specs, revisions: store.revisions, jobs: store.jobs, catalogue, schema, settings, clock, log },
    judge: (before, after, how) => judgeChanges(before, after, how),
  };
  const providers = new Providers({ ...options, http, refresh });
  catalogue.usePins(new Pins({ revisions: store.revisions, compile: (text) => providers.compile(text), clock }));
  for (const provider of options.providers) for (const says of publicWarnings(provider)) log.warn(says, { provider: provider.name });
  const patience = { ...(watchMs !== undefined && { watchMs }), ...(tickMs !== undefined && { tickMs }) };
  return {
    providers,
    duty: new SpecDuty({ providers, revisions: store.revisions, clock, log, ...patience }),
    api: toolProviders({ providers, store, catalogue }),
    close: async () => {
      await providers.close();
      await http.close();
    },
  };
}
