import { debugBundle, explain, type CallDeps, type Catalogue } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { OperateApi } from '@bailing/http';
import type { Providers } from './providers.js';

export interface OperateDeps {
  readonly store: Store;
  readonly calls: CallDeps;
  readonly catalogue: Catalogue;
  readonly providers: Providers;
}

/** What operators ask a running hub about itself, behind the HTTP service. */
export function operateApi({ store, calls, catalogue, providers }: OperateDeps): OperateApi {
  const asked = {
    ...calls,
    rates: store.rates,
    wire: (provider: string, frozen: Parameters<Providers['preview']>[1]) => providers.preview(provider, frozen),
  };
  return {
    bundle: (job) => debugBundle(job, { store, ...calls }),
    explain: (question) => explain(question, { calls: asked, catalogue, stops: store.stops }),
  };
}
