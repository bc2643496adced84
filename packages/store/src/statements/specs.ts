import { statement } from './statement.js';

export interface StateRecord {
  readonly provider: string;
  readonly rev: number;
  readonly revision: string | null;
  readonly origin: string;
  readonly base_url: string;
  readonly attempted_at: number;
  readonly authz_json: string | null;
}

export interface FrozenRecord {
  readonly tool: string;
  readonly accepted: string;
  readonly facts_json: string;
  readonly since: number;
}

export const specState = statement<[provider: string], StateRecord>(
  'spec-state',
  'SELECT provider, rev, revision, origin, base_url, attempted_at, authz_json FROM bz_spec_state WHERE provider = ?',
);

/** One row a provider: a handful. */
export const specRevs = statement<[], { readonly provider: string; readonly rev: number }>(
  'spec-revs',
  'SELECT provider, rev FROM bz_spec_state',
);

export const insertState = statement<
  [provider: string, revision: string | null, origin: string, baseUrl: string, attemptedAt: number, authz: string | null]
>(
  'insert-spec-state',
  'INSERT INTO bz_spec_state (provider, rev, revision, origin, base_url, attempted_at, authz_json) VALUES (?, 1, ?, ?, ?, ?, ?)',
);

/** Another current revision, where nobody was faster. */
export const advanceState = statement<[revision: string, origin: string, baseUrl: string, provider: string, rev: number]>(
  'advance-spec-state',
  'UPDATE bz_spec_state SET revision = ?, origin = ?, base_url = ?, rev = rev + 1 WHERE provider = ? AND rev = ?',
);

export const bumpState = statement<[provider: string]>('bump-spec-state', 'UPDATE bz_spec_state SET rev = rev + 1 WHERE provider = ?');

/** Whoever moves the row refreshes the provider. */
export const attemptRefresh = statement<[now: number, provider: string, notAfter: number]>(
  'attempt-spec-refresh',
  'UPDATE bz_spec_state SET attempted_at = ? WHERE provider = ? AND attempted_at <= ?',
);

export const noteAuthz = statement<[authz: string, provider: string]>(
  'note-authz',
  'UPDATE bz_spec_state SET authz_json = ? WHERE provider = ?',
);

export const frozenOf = statement<[provider: string], FrozenRecord>(
  'spec-frozen-of',
  'SELECT tool, accepted, facts_json, since FROM bz_spec_frozen WHERE provider = ? ORDER BY tool',
);

export const insertFrozen = statement<[provider: string, tool: string, accepted: string, facts: string, since: number]>(
  'insert-spec-frozen',
  'INSERT INTO bz_spec_frozen (provider, tool, accepted, facts_json, since) VALUES (?, ?, ?, ?, ?)',
);

export const deleteFrozen = statement<[provider: string, tool: string]>(
  'delete-spec-frozen',
  'DELETE FROM bz_spec_frozen WHERE provider = ? AND tool = ?',
);
