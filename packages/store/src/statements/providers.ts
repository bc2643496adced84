import { statement } from './statement.js';

export interface SpecRecord {
  readonly name: string;
  readonly spec_origin: string;
  readonly spec_json: string | null;
  readonly spec_refreshed_at: number | null;
  readonly spec_access_probe_json: string | null;
}

export const specOf = statement<[provider: string], SpecRecord>(
  'spec-of',
  'SELECT name, spec_origin, spec_json, spec_refreshed_at, spec_access_probe_json FROM bz_tool_providers WHERE name = ?',
);

const INSERT = `INSERT INTO bz_tool_providers (name, spec_origin, spec_json, spec_refreshed_at, spec_access_probe_json, updated_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

/** A new document replaces the kept one with its origin. */
export const putSpec = statement<
  [provider: string, origin: string, document: string, refreshedAt: number | null, probe: string | null, now: number]
>('put-spec', {
  sqlite: `${INSERT} ON CONFLICT (name) DO UPDATE SET spec_origin = excluded.spec_origin, spec_json = excluded.spec_json,
    spec_refreshed_at = excluded.spec_refreshed_at, spec_access_probe_json = excluded.spec_access_probe_json, updated_at = excluded.updated_at`,
  mysql: `${INSERT} ON DUPLICATE KEY UPDATE spec_origin = VALUES(spec_origin), spec_json = VALUES(spec_json),
    spec_refreshed_at = VALUES(spec_refreshed_at), spec_access_probe_json = VALUES(spec_access_probe_json), updated_at = VALUES(updated_at)`,
});

/** A refresh that brought no document keeps the old one, its origin and its time, and notes what was observed. */
export const noteProbe = statement<
  [provider: string, origin: string, document: null, refreshedAt: null, probe: string | null, now: number]
>('note-probe', {
  sqlite: `${INSERT} ON CONFLICT (name) DO UPDATE SET spec_access_probe_json = excluded.spec_access_probe_json, updated_at = excluded.updated_at`,
  mysql: `${INSERT} ON DUPLICATE KEY UPDATE spec_access_probe_json = VALUES(spec_access_probe_json), updated_at = VALUES(updated_at)`,
});
