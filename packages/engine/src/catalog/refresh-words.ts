import type { Clock, Log, ProviderRow, SchemaCheck, ToolDraft, ToolSource } from '@bailing/plugin-api';
import type { JobStore, RevisionStore, Settings, SpecFact, SpecStore } from '../ports/index.js';
import type { Catalogue } from './catalogue.js';

/** Why a document was read: at the start of a replica, because a person asked, or because its time had come. */
export type Via = 'boot' | 'manual' | 'auto';

/** One provider as the catalogue works on it. */
export interface Sourced {
  readonly row: ProviderRow;
  readonly source: ToolSource;
  /** Applied to every document of this provider before it is compiled. */
  readonly overlay: string | null;
}

/** Facts about what changed between two revisions; pure, and what it cannot judge counts as looser. */
export type JudgeSpec = (
  before: readonly ToolDraft[],
  after: readonly ToolDraft[],
  options: { readonly allow?: readonly string[]; readonly baseUrl?: { readonly before: string; readonly after: string } },
) => readonly SpecFact[];

export interface RefreshDeps {
  readonly specs: SpecStore;
  readonly revisions: RevisionStore;
  readonly jobs: Pick<JobStore, 'note'>;
  readonly catalogue: Catalogue;
  readonly schema: SchemaCheck;
  readonly settings: () => Settings;
  readonly judge: JudgeSpec;
  readonly clock: Clock;
  readonly log: Log;
}
