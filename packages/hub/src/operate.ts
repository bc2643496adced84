import { checkSignature, debugBundle, explain, type CallDeps, type Catalogue, type executor } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { OperateApi } from '@bailing/http';
import type { BailingConfig } from '@bailing/resources';
import { configDiagnostics } from './config-diagnostics.js';
import { diagnostics } from './diagnostics.js';
import { executorsSeen } from './executors-seen.js';
import { done } from './done.js';
import { credentialVerifier, type VerifyDeps } from './verify-credential.js';
import { toolProviders } from './tool-providers.js';
import type { Providers } from './providers.js';

export interface OperateDeps {
  readonly store: Store;
  readonly calls: CallDeps;
  readonly catalogue: Catalogue;
  readonly providers: Providers;
  readonly presence: executor.Presence;
  /** 0: the ledger is kept for ever. */
  readonly auditDays: number;
  /** As it is now. */
  readonly config: () => BailingConfig;
  readonly named: VerifyDeps['named'];
}

/** What operators ask a running hub about itself, behind the HTTP service. */
export function operateApi({ store, calls, catalogue, providers, presence, auditDays, config, named }: OperateDeps): OperateApi {
  const asked = {
    ...calls,
    rates: store.rates,
    wire: (provider: string, frozen: Parameters<Providers['preview']>[1]) => providers.preview(provider, frozen),
  };
  const sources = toolProviders({ providers, store, catalogue });
  const list = () => Promise.all(providers.all().map(({ resource }) => sources.view(resource.name)));
  const refused = (provider: string): number =>
    catalogue.current(provider)?.report.operations.filter(({ outcome }) => outcome === 'refused').length ?? 0;
  return {
    diagnostics: () => diagnostics({ store, list, refused, auditDays, now: () => calls.clock.now() }),
    checkSignature: async (provider, received) => {
      const { row } = providers.one(provider);
      const base = new URL(row.base_url).pathname.replace(/\/+$/, '');
      return Promise.resolve(checkSignature(received, row.secret, base, calls.clock.now()));
    },
    bundle: (job) => debugBundle(job, { store, ...calls }),
    configDiagnostics: () => configDiagnostics(config(), catalogue),
    done: (before, limit) => done(store.jobs, before, limit),
    census: () => store.census(),
    byTarget: () => store.jobs.byTarget(),
    executors: () => executorsSeen(presence, store.jobs, calls.clock.now()),
    usage: (since, limit) => store.jobs.usage(since, limit),
    threads: (before, limit) => store.jobs.threads(before, limit),
    verifyCredential: credentialVerifier({ named, jobs: store.jobs, clock: calls.clock, log: calls.log }),
    explain: (question) => explain(question, { calls: asked, catalogue, stops: store.stops }),
  };
}
