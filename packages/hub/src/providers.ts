import { installCached, refreshProvider, type RefreshDeps, type RefreshResult } from '@bailing/engine';
import { createHttpInvoker, type HostRules, type HttpInvoker } from '@bailing/outbound';
import {
  BailingError,
  type Clock,
  type Invoker,
  type Log,
  type ProviderRow,
  type ToolSource,
  type ToolSourceKind,
} from '@bailing/plugin-api';
import type { ToolProviderResource } from '@bailing/resources';
import type { Contributed } from '@bailing/kernel';

interface Open {
  readonly row: ProviderRow;
  readonly source: ToolSource;
  readonly http: HttpInvoker;
}

export interface ProvidersOptions {
  readonly providers: readonly ToolProviderResource[];
  readonly kinds: readonly Contributed<ToolSourceKind>[];
  readonly hosts: HostRules;
  readonly clock: Clock;
  readonly log: Log;
  readonly refresh: RefreshDeps;
}

/** How long the start waits for documents from URLs; what comes later is installed when it comes. */
const BOOT_WAIT_MS = 5_000;

/** Every configured business system: its tool source, its connections, its current tools. */
export class Providers {
  private readonly open = new Map<string, Open>();
  private readonly stopping = new AbortController();

  /** @throws BailingError BAILING_CONFIG_INVALID where no plugin knows a provider's kind */
  constructor(private readonly options: ProvidersOptions) {
    for (const provider of options.providers) this.open.set(provider.name, this.opened(provider));
  }

  private opened(provider: ToolProviderResource): Open {
    const kind = this.options.kinds.find(({ name }) => name === provider.kind);
    if (!kind)
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `tool_providers ${provider.name}`,
        detail: `No plugin brings the tool-source kind ${JSON.stringify(provider.kind)}.`,
      });
    const row = rowOf(provider);
    const { name, base_url: baseUrl, secret, timeout_ms: timeoutMs } = row;
    const http = createHttpInvoker({
      provider: { name, baseUrl, secret, timeoutMs },
      hosts: this.options.hosts,
      clock: this.options.clock,
    });
    return { row, source: kind.value.open(row), http };
  }

  /** Installs what is at hand: inline documents and valid caches at once, URLs within a bounded wait. Failures degrade the one provider. */
  async load(): Promise<void> {
    const pending = [...this.open.values()].map(async ({ row, source }) => {
      if (!this.options.providers.find(({ name }) => name === row.name)?.enabled) return;
      if (row.spec_source === 'url') await installCached(row, source, this.options.refresh);
      await this.refresh(row.name, 'boot');
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, BOOT_WAIT_MS)));
    await Promise.race([Promise.allSettled(pending), late]);
    clearTimeout(timer);
  }

  /** Reads a provider's document afresh. Never throws for what the business did. */
  async refresh(name: string, via: 'boot' | 'manual' | 'auto'): Promise<RefreshResult> {
    const open = this.open.get(name);
    if (!open) throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `There is no tool provider ${JSON.stringify(name)}.` });
    const result = await refreshProvider(open.row, open.source, via, this.stopping.signal, this.options.refresh);
    if (!result.ok) this.options.log.warn('a tool document could not be read', { provider: name, code: result.code, says: result.says });
    else this.options.log.info('tools installed', { provider: name, tools: result.tools });
    return result;
  }

  invoker(name: string, binding: unknown): Invoker | undefined {
    const open = this.open.get(name);
    if (!open) return undefined;
    const kind = (binding as { kind?: unknown } | null)?.kind;
    return kind === 'http' ? open.http : open.source.invoker;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.open.values()].map(({ http }) => http.close()));
  }
}

function rowOf(provider: ToolProviderResource): ProviderRow {
  const { name, kind, base_url, spec_source, spec_url, spec_json, spec_access_policy, secret, timeout_ms } = provider;
  return {
    name,
    kind,
    base_url,
    spec_source,
    spec_access_policy,
    secret,
    timeout_ms,
    ...(spec_url !== undefined && { spec_url }),
    ...(spec_json !== undefined && { spec_json }),
  };
}
