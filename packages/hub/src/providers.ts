import {
  acceptLooser,
  adoptCached,
  compileText,
  refreshProvider,
  syncCurrent,
  type RefreshDeps,
  type RefreshResult,
  type Revision,
  type Sourced,
  type Via,
} from '@bailing/engine';
import type { AuthzRecord, RevisionText } from '@bailing/engine/ports';
import { createHttpInvoker, type HostRules, type HttpInvoker } from '@bailing/outbound';
import {
  BailingError,
  type Clock,
  type FrozenCall,
  type Http,
  type Invoker,
  type Log,
  type ProviderRow,
  type ToolSourceKind,
} from '@bailing/plugin-api';
import type { ToolProviderResource } from '@bailing/resources';
import type { Contributed } from '@bailing/kernel';
import type { Prepared } from './live/live-config.js';
import { probeAuthorisation } from './authz.js';
import { openKind } from './open-kind.js';

/** One configured business system: its row, its document's source, its connections. */
export interface OpenProvider extends Sourced {
  readonly resource: ToolProviderResource;
  readonly http: HttpInvoker;
}

export interface ProvidersOptions {
  readonly providers: readonly ToolProviderResource[];
  readonly kinds: readonly Contributed<ToolSourceKind>[];
  readonly hosts: HostRules;
  /** Sends the authorisation probe. */
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
  readonly refresh: RefreshDeps;
}

/** How long the start waits for documents from URLs; what comes later is installed when it comes. */
/** Refused operations that one log line names. */
const NAMED_MAX = 20;
const BOOT_WAIT_MS = 5_000;
/** A call between choosing its connection and sending is far shorter. */
const RETIRE_MS = 60_000;

/** The probe is evidence, not a condition: whoever loads does not wait for it. Absent where there is no document. */
interface Loaded {
  readonly probe?: Promise<AuthzRecord | void>;
}

/** Every configured business system: its tool source, its connections, its current tools. */
export class Providers {
  private open: ReadonlyMap<string, OpenProvider> = new Map();
  /** Providers that were just saved, until their documents are installed. */
  private readonly loading = new Map<string, Promise<Loaded>>();
  /** Connections of rows that changed; calls that began on them end on them. */
  private readonly retired = new Set<HttpInvoker>();
  /** What happens to one provider's tools happens one after another in this process. */
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly stopping = new AbortController();

  /** @throws BailingError BAILING_CONFIG_INVALID where no plugin knows a provider's kind */
  constructor(private readonly options: ProvidersOptions) {
    this.open = new Map(options.providers.map((provider) => [provider.name, this.opened(provider)]));
  }

  /** Opens what is new or changed; what stayed as it was keeps its connections. @throws BailingError as the constructor does */
  prepare(providers: readonly ToolProviderResource[]): Prepared {
    const made: OpenProvider[] = [];
    const discard = () => made.forEach(({ http }) => void http.close());
    try {
      const next = new Map<string, OpenProvider>();
      for (const resource of providers) {
        const before = this.open.get(resource.name);
        if (before && connection(before.resource) === connection(resource)) next.set(resource.name, { ...before, resource });
        else {
          const opened = this.opened(resource);
          made.push(opened);
          next.set(resource.name, opened);
        }
      }
      return { swap: () => this.replace(next), discard };
    } catch (error) {
      discard();
      throw error;
    }
  }

  /** Tools of what is gone are withdrawn, documents of what is new are read; neither is waited for. */
  private replace(next: ReadonlyMap<string, OpenProvider>): void {
    const before = this.open;
    this.open = next;
    for (const [name, was] of before) {
      if (next.get(name)?.http !== was.http) this.retire(was.http);
      if (!next.has(name)) void this.inTurn(name, async () => this.withdraw(name));
    }
    for (const [name, open] of next) {
      const was = before.get(name);
      if (!open.resource.enabled || (was?.http === open.http && was.resource.enabled)) continue;
      const loading = this.loadOne(open).finally(() => this.loading.delete(name));
      this.loading.set(name, loading);
    }
  }

  private withdraw(name: string): void {
    if (!this.open.has(name)) this.options.refresh.catalogue.install(name, null);
  }

  private retire(http: HttpInvoker): void {
    this.retired.add(http);
    setTimeout(() => {
      this.retired.delete(http);
      void http.close();
    }, RETIRE_MS).unref();
  }

  /** What the business lets through, once the document of a provider that was just saved is installed; that is waited for, within bounds. */
  async probeSaved(name: string): Promise<AuthzRecord> {
    const { promise: late, stop } = after(BOOT_WAIT_MS);
    const loaded = await Promise.race([this.loading.get(name), late]);
    stop();
    return (await loaded?.probe) ?? (await this.probe(name));
  }

  private opened(provider: ToolProviderResource): OpenProvider {
    const kind = this.options.kinds.find(({ name }) => name === provider.kind);
    if (!kind)
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `tool_providers ${provider.name}, kind`,
        detail: `No plugin brings the tool-source kind ${JSON.stringify(provider.kind)}.`,
      });
    const row = rowOf(provider);
    const { name, base_url: baseUrl, secret, timeout_ms: timeoutMs } = row;
    const what = { member: 'tool_providers', name, kind: provider.kind, methods: ['refresh', 'compile'], secrets: [secret] } as const;
    const source = openKind(what, () => kind.value.open(row), this.options.log);
    const http = createHttpInvoker({
      provider: { name, baseUrl, secret, timeoutMs },
      hosts: this.options.hosts,
      clock: this.options.clock,
    });
    return { resource: provider, row, source, overlay: provider.overlay ?? null, http };
  }

  /** Whether a document of this provider was ever read. */
  hasTools(name: string): boolean {
    return this.options.refresh.catalogue.current(name) !== undefined;
  }

  /** In the order of the configuration. */
  all(): readonly OpenProvider[] {
    return [...this.open.values()];
  }

  /** @throws BAILING_REQUEST_NOT_FOUND */
  one(name: string): OpenProvider {
    const open = this.open.get(name);
    if (open) return open;
    throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `There is no tool provider ${JSON.stringify(name.slice(0, 64))}.` });
  }

  /** Installs what is at hand: inline documents and valid caches at once, URLs within a bounded wait. Failures degrade the one provider. */
  async load(): Promise<void> {
    const pending = this.all()
      .filter(({ resource }) => resource.enabled)
      .map((open) => this.loadOne(open));
    const { promise: late, stop } = after(BOOT_WAIT_MS);
    await Promise.race([Promise.all(pending), late]);
    stop();
  }

  private async loadOne(open: OpenProvider): Promise<Loaded> {
    const { row } = open;
    try {
      if (row.spec_source === 'url') await this.inTurn(row.name, () => adoptCached(open, this.options.refresh));
      const result = await this.refresh(row.name, 'boot');
      if (result.ok) return { probe: this.probe(row.name).catch((error: unknown) => void this.unwell(row.name, error)) };
    } catch (error) {
      this.unwell(row.name, error);
    }
    return {};
  }

  /** Reads a provider's document afresh. Never throws for what the business did. */
  async refresh(name: string, via: Via): Promise<RefreshResult> {
    const open = this.one(name);
    const result = await this.inTurn(name, () => refreshProvider(open, via, this.stopping.signal, this.options.refresh));
    if (!result.ok) this.options.log.warn('a tool document could not be read', { provider: name, code: result.code, says: result.says });
    else this.told(name, result.tools);
    return result;
  }

  /** What there is now, and by name what a document declared and did not get. */
  private told(provider: string, tools: number): void {
    this.options.log.info('tools installed', { provider, tools });
    const report = this.options.refresh.catalogue.current(provider)?.report.operations ?? [];
    const refused = report.filter(({ outcome }) => outcome === 'refused');
    if (refused.length === 0) return;
    const named = refused.slice(0, NAMED_MAX).map(({ method, path, diagnostics }) => {
      const why = diagnostics.find(({ severity }) => severity === 'error');
      return `${method} ${path}: ${why?.code ?? 'refused'}`;
    });
    this.options.log.warn('operations of a document became no tools', { provider, refused: refused.length, operations: named });
  }

  /** Installs what another replica published. */
  async sync(name: string): Promise<void> {
    const open = this.open.get(name);
    if (open?.resource.enabled) await this.inTurn(name, () => syncCurrent(open, this.options.refresh));
  }

  /** An operator accepts what became looser; answers the tools that are callable again. */
  accept(name: string, tools: readonly string[], by: string): Promise<readonly string[]> {
    const open = this.one(name);
    return this.inTurn(name, () => acceptLooser(open, tools, by, this.options.refresh));
  }

  /** Asks the business for something on behalf of nobody (WIRE §4.5), and writes down what it did. */
  probe(name: string): Promise<AuthzRecord> {
    const { http, clock, refresh } = this.options;
    return probeAuthorisation(this.one(name), { http, clock, refresh }, this.stopping.signal);
  }

  /** A pinned revision, compiled again; null for a provider that is not configured any more. */
  compile(text: RevisionText): Revision | null {
    const open = this.open.get(text.provider);
    return open ? compileText(open, text, this.options.refresh) : null;
  }

  /** Address and headers of a call frozen by this provider's HTTP invoker. */
  preview(name: string, frozen: FrozenCall): ReturnType<HttpInvoker['preview']> | undefined {
    return this.open.get(name)?.http.preview(frozen);
  }

  invoker(name: string, binding: unknown): Invoker | undefined {
    const open = this.open.get(name);
    if (!open) return undefined;
    const kind = (binding as { kind?: unknown } | null)?.kind;
    return kind === 'http' ? open.http : open.source.invoker;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.turns.values());
    await Promise.all([...this.all().map(({ http }) => http), ...this.retired].map((http) => http.close()));
  }

  private inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.turns.set(
      name,
      mine.catch(() => undefined),
    );
    return mine;
  }

  private unwell(provider: string, error: unknown): void {
    if (!this.stopping.signal.aborted) this.options.log.error('tools could not be installed', { provider, error: String(error) });
  }
}

function after(ms: number): { readonly promise: Promise<undefined>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return { promise, stop: () => clearTimeout(timer) };
}

/** What a provider's connections and tools are made from. */
function connection(provider: ToolProviderResource): string {
  return JSON.stringify([rowOf(provider), provider.overlay ?? null]);
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
