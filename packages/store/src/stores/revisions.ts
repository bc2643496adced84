import type {
  AuthzRecord,
  FrozenRow,
  Line,
  Ms,
  Publication,
  RevisionStore,
  RevisionText,
  SpecFact,
  SpecState,
} from '@bailing/engine/ports';
import { revisionText, specSet } from '../statements/spec-revisions.js';
import { frozenOf, type FrozenRecord, specRevs, specState } from '../statements/specs.js';
import { acceptFrozen, attempt, authz, publishSpec } from '../units/publish-spec.js';
import { collectSpecs, keepSet } from '../units/spec-sets.js';
import { type House, read } from './house.js';

export class SqlRevisionStore implements RevisionStore {
  constructor(private readonly house: House) {}

  /** The row is read before its frozen tools: a change in between only makes the reader look again. */
  async state(provider: string): Promise<SpecState | null> {
    const [row] = await read(this.house, specState, [provider]);
    if (!row) return null;
    const frozen = await read(this.house, frozenOf, [provider]);
    return {
      provider: row.provider,
      rev: row.rev,
      revision: row.revision,
      origin: row.origin,
      baseUrl: row.base_url,
      attemptedAt: row.attempted_at,
      authz: row.authz_json === null ? null : (JSON.parse(row.authz_json) as AuthzRecord),
      frozen: frozen.map(frozenRow),
    };
  }

  async revs(): Promise<ReadonlyMap<string, number>> {
    return new Map((await read(this.house, specRevs, [])).map(({ provider, rev }) => [provider, rev]));
  }

  publish(publication: Publication): Promise<number | 'moved'> {
    return this.house.lanes.submit(publishSpec(publication));
  }

  attempt(provider: string, notAfter: Ms): Promise<boolean> {
    return this.house.lanes.submit(attempt(provider, notAfter));
  }

  noteAuthz(provider: string, record: AuthzRecord, line: Line): Promise<void> {
    return this.house.lanes.submit(authz(provider, record, line));
  }

  accept(provider: string, tools: readonly string[], line: Line): Promise<readonly string[]> {
    return this.house.lanes.submit(acceptFrozen(provider, tools, line));
  }

  async text(id: string): Promise<RevisionText | null> {
    const [row] = await read(this.house, revisionText, [id]);
    return row ?? null;
  }

  keepSet(id: string, texts: readonly RevisionText[]): Promise<void> {
    return this.house.lanes.submit(keepSet(id, texts));
  }

  async set(id: string): Promise<ReadonlyMap<string, string> | null> {
    const [row] = await read(this.house, specSet, [id]);
    return row ? new Map(Object.entries(JSON.parse(row.members) as Record<string, string>)) : null;
  }

  collect(before: Ms): Promise<{ readonly sets: number; readonly texts: number }> {
    return this.house.lanes.submit(collectSpecs(before));
  }
}

function frozenRow(row: FrozenRecord): FrozenRow {
  return { tool: row.tool, accepted: row.accepted, facts: JSON.parse(row.facts_json) as readonly SpecFact[], since: row.since };
}
