import { sha256Hex } from '@bailing/contract';
import type { ProviderRow } from '@bailing/plugin-api';

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
