import type { SpecProbe } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { SpecFact, SpecRow } from '../ports/index.js';
import { adopt } from './adopt.js';
import { failureAlert, ofProvider, type Difference } from './notices.js';
import { originOf } from './origin.js';
import type { RefreshDeps, Sourced, Via } from './refresh-words.js';

export interface RefreshResult extends Difference {
  readonly ok: boolean;
  readonly tools: number;
  readonly facts: readonly SpecFact[];
  /** Tools that are frozen now, whenever they were. */
  readonly frozen: readonly string[];
  readonly code?: string;
  readonly says?: string;
}

const NOTHING = { added: [], removed: [], changed: [], facts: [] };

/**
 * At boot: makes the cached document of a URL provider current, if it is still valid, so that tools are there before the network is asked. It goes
 * the way of any document: a changed overlay or base URL is judged now, not when the business answers again.
 */
export async function adoptCached(sourced: Sourced, deps: RefreshDeps): Promise<boolean> {
  const cached = await deps.specs.get(sourced.row.name);
  if (cached?.document == null || cached.origin !== originOf(sourced.row)) return false;
  return (await adopt(sourced, { document: cached.document }, 'boot', deps)).is === 'current';
}

/**
 * Reads a provider's document afresh and makes it current. Any failure keeps what was current; without anything current the provider contributes
 * no tools and the rest goes on.
 */
export async function refreshProvider(sourced: Sourced, via: Via, signal: AbortSignal, deps: RefreshDeps): Promise<RefreshResult> {
  const { row, source } = sourced;
  const read = await source.refresh(signal);
  if (read.probe) await probed(sourced, read.probe, deps);
  if (read.is === 'failed') return failed(sourced, via, read.code, read.says, read.probe ?? null, deps);
  const adopted = await adopt(sourced, { document: read.document, ...(read.probe && { probe: read.probe }) }, via, deps);
  if (adopted.is === 'broken') return failed(sourced, via, 'BAILING_SPEC_UNREADABLE', adopted.says, read.probe ?? null, deps);
  // Also where nothing changed: the time of the look and what it showed move on.
  if (row.spec_source === 'url') await deps.specs.put(specRow(sourced, read.document, deps.clock.now(), read.probe ?? null));
  const frozen = adopted.state.frozen.map(({ tool }) => tool);
  return { ok: true, tools: adopted.revision.tools.size, ...adopted.diff, facts: adopted.facts, frozen };
}

async function failed(
  sourced: Sourced,
  via: Via,
  code: string,
  says: string,
  probe: SpecProbe | null,
  deps: RefreshDeps,
): Promise<RefreshResult> {
  const { row } = sourced;
  await keep(sourced, probe, deps);
  const at = deps.clock.now();
  const failure = line('spec_refresh_failed', ofProvider(row.name), at, { provider: row.name, via, code, error: says.slice(0, 300) });
  await deps.jobs.note(via === 'manual' ? [failure] : [failure, failureAlert(row.name, says, at)]);
  const current = deps.catalogue.current(row.name);
  return { ok: false, tools: current?.tools.size ?? 0, ...NOTHING, frozen: [...(current?.frozen?.keys() ?? [])], code, says };
}

async function probed({ row }: Sourced, probe: SpecProbe, deps: RefreshDeps): Promise<void> {
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
  await deps.jobs.note([line('spec_access_probe', ofProvider(row.name), deps.clock.now(), detail)]);
}

/** A document cached under another origin (URL, policy, secret) is dropped; a valid one stays, with what was observed now. */
async function keep(sourced: Sourced, probe: SpecProbe | null, deps: RefreshDeps): Promise<void> {
  const { row } = sourced;
  if (row.spec_source !== 'url') return;
  const cached = await deps.specs.get(row.name);
  const valid = cached?.origin === originOf(row);
  await deps.specs.put(specRow(sourced, valid ? cached.document : null, valid ? cached.refreshedAt : null, probe));
}

function specRow({ row }: Sourced, document: string | null, refreshedAt: number | null, probe: SpecProbe | null): SpecRow {
  return { provider: row.name, origin: originOf(row), document, refreshedAt, probe };
}
