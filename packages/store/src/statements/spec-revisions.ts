import { statement } from './statement.js';

export interface TextRecord {
  readonly id: string;
  readonly provider: string;
  readonly document: string;
  readonly overlay: string | null;
}

export const revisionText = statement<[id: string], TextRecord>(
  'spec-revision',
  'SELECT id, provider, document, overlay FROM bz_spec_revisions WHERE id = ?',
);

export const insertRevision = statement<[id: string, provider: string, document: string, overlay: string | null, keptAt: number]>(
  'insert-spec-revision',
  'INSERT INTO bz_spec_revisions (id, provider, document, overlay, kept_at) VALUES (?, ?, ?, ?, ?)',
);

export const keepRevision = statement<[keptAt: number, id: string]>(
  'keep-spec-revision',
  'UPDATE bz_spec_revisions SET kept_at = ? WHERE id = ?',
);

export const oldRevisions = statement<[before: number, limit: number], { readonly id: string }>(
  'old-spec-revisions',
  'SELECT id FROM bz_spec_revisions WHERE kept_at <= ? ORDER BY kept_at LIMIT ?',
);

export const deleteRevision = statement<[id: string, before: number]>(
  'delete-spec-revision',
  'DELETE FROM bz_spec_revisions WHERE id = ? AND kept_at <= ?',
);

export const currentRevisions = statement<[], { readonly revision: string | null }>(
  'current-spec-revisions',
  'SELECT revision FROM bz_spec_state',
);

export interface SetRecord {
  readonly id: string;
  readonly members: string;
  readonly kept_at: number;
}

export const specSet = statement<[id: string], SetRecord>('spec-set', 'SELECT id, members, kept_at FROM bz_spec_sets WHERE id = ?');

/** Few: one for every set of documents that unfinished jobs began with. */
export const allSpecSets = statement<[], SetRecord>('all-spec-sets', 'SELECT id, members, kept_at FROM bz_spec_sets');

export const insertSpecSet = statement<[id: string, members: string, keptAt: number]>(
  'insert-spec-set',
  'INSERT INTO bz_spec_sets (id, members, kept_at) VALUES (?, ?, ?)',
);

export const keepSpecSet = statement<[keptAt: number, id: string]>('keep-spec-set', 'UPDATE bz_spec_sets SET kept_at = ? WHERE id = ?');

export const deleteSpecSet = statement<[id: string, before: number]>(
  'delete-spec-set',
  'DELETE FROM bz_spec_sets WHERE id = ? AND kept_at <= ?',
);

/** Sets of jobs that are not over. */
export const setsOfJobs = statement<[], { readonly spec_set: string | null }>(
  'spec-sets-of-jobs',
  `SELECT DISTINCT spec_set FROM bz_jobs WHERE status IN ('queued', 'running', 'dispatched')`,
);

/** Sets of jobs that a decision may yet wake. */
export const setsOfApprovals = statement<[], { readonly spec_set: string | null }>(
  'spec-sets-of-approvals',
  `SELECT DISTINCT j.spec_set FROM bz_tool_approvals a JOIN bz_jobs j ON j.id = a.job_id WHERE a.status = 'pending'`,
);
