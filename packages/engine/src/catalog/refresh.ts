import { sha256Hex } from '@bailing/contract';
import type { Clock, Log, ProviderRow, SchemaCheck, ToolSource } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { JobStore, SpecRow, SpecStore } from '../ports/index.js';
import type { Catalogue } from './catalogue.js';
import { makeRevision, type Revision } from './revision.js';

export interface RefreshDeps {
  readonly specs: SpecStore;
  readonly jobs: Pick<JobStore, 'note'>;
  readonly catalogue: Catalogue;
  readonly schema: SchemaCheck;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RefreshResult {
  readonly ok: boolean;
  readonly tools: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly code?: string;
  readonly says?: string;
}

/** What of a provider row makes a cached document valid; a change of any of it voids cache and probe (WIRE §4.1). */
export function originOf(row: ProviderRow): string {
  return sha256Hex(
    JSON.stringify([
      row.kind,
      row.spec_source,
      row.spec_url ?? '',
      row.spec_source === 'url' ? row.spec_access_policy : '',
      sha256Hex(row.secret),
    ]),
  );
}

/** At boot: installs the cached document of a URL provider, if it is still valid, so that tools are there before the network is asked. */
export async function installCached(row: ProviderRow, source: ToolSource, deps: RefreshDeps): Promise<boolean> {
  const cached = await deps.specs.get(row.name);
  if (cached?.document == null || cached.origin !== originOf(row)) return false;
  install(row, source, cached.document, deps);
  return true;
}

/**
 * Reads a provider's document afresh, compiles and installs it. Any failure keeps what was cached; without a cache the provider
 * contributes no tools and the rest goes on.
 */
export async function refreshProvider(
  row: ProviderRow,
  source: ToolSource,
  via: 'boot' | 'manual' | 'auto',
  signal: AbortSignal,
  deps: RefreshDeps,
): Promise<RefreshResult> {
  const read = await source.refresh(signal);
  const at = deps.clock.now();
  const before = deps.catalogue.current(row.name);
  if (read.probe) await probed(row, read.probe, deps);
  if (read.is === 'failed') {
    await keep(row, read.probe ?? null, deps);
    await deps.jobs.note([
      line('spec_refresh_failed', of(row), at, { provider: row.name, via, code: read.code, error: read.says.slice(0, 300) }),
    ]);
    return { ok: false, tools: before?.tools.size ?? 0, added: [], removed: [], changed: [], code: read.code, says: read.says };
  }
  const revision = install(row, source, read.document, deps);
  if (row.spec_source === 'url') await deps.specs.put(specRow(row, read.document, at, read.probe ?? null));
  const diff = difference(before, revision);
  if (revision.id !== before?.id) {
    const counts = { tools: revision.tools.size, added: diff.added, removed: diff.removed, changed: diff.changed };
    await deps.jobs.note([line('spec_refreshed', of(row), at, { provider: row.name, via, ...counts })]);
  }
  return { ok: true, tools: revision.tools.size, ...diff };
}

function of(row: ProviderRow) {
  return { job: '-', requestId: `tools:${row.name}`.slice(0, 128) };
}

function install(row: ProviderRow, source: ToolSource, document: string, deps: RefreshDeps): Revision {
  const revision = makeRevision(row.name, document, source.compile(document), deps.schema);
  const current = deps.catalogue.current(row.name);
  if (current?.id === revision.id) return current;
  deps.catalogue.install(row.name, revision);
  return revision;
}

async function probed(row: ProviderRow, probe: NonNullable<SpecRow['probe']>, deps: RefreshDeps): Promise<void> {
  const { status, signed_http, unsigned_http, invalid_http, reason } = probe;
  const seen = {
    ...(signed_http !== undefined && { signed_http }),
    ...(unsigned_http !== undefined && { unsigned_http }),
    ...(invalid_http !== undefined && { invalid_http }),
  };
  const detail = {
    provider: row.name,
    policy: row.spec_access_policy,
    status,
    ...seen,
    ...(reason !== undefined && { reason: reason.slice(0, 300) }),
  };
  await deps.jobs.note([line('spec_access_probe', of(row), deps.clock.now(), detail)]);
}

async function keep(row: ProviderRow, probe: SpecRow['probe'], deps: RefreshDeps): Promise<void> {
  if (row.spec_source !== 'url') return;
  const cached = await deps.specs.get(row.name);
  const valid = cached?.origin === originOf(row);
  await deps.specs.put({
    provider: row.name,
    origin: originOf(row),
    document: valid ? cached.document : null,
    refreshedAt: valid ? cached.refreshedAt : null,
    probe,
  });
}

function specRow(row: ProviderRow, document: string, refreshedAt: number, probe: SpecRow['probe']): SpecRow {
  return { provider: row.name, origin: originOf(row), document, refreshedAt, probe };
}

/** Added, removed and changed by security fingerprint; words alone make no difference (WIRE §4.4). */
function difference(before: Revision | undefined, after: Revision): Pick<RefreshResult, 'added' | 'removed' | 'changed'> {
  const old = before?.tools ?? new Map<string, never>();
  const names = [...after.tools.keys()];
  return {
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !after.tools.has(name)),
    changed: names.filter(
      (name) => old.has(name) && old.get(name)?.definition.fingerprint !== after.tools.get(name)?.definition.fingerprint,
    ),
  };
}
