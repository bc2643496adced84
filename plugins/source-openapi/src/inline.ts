import type { ProviderRow, SourceRefresh } from '@bailing/plugin-api';
import { checkDocument } from './check.js';

/** An inline document has no access policy and no probe (WIRE §4.1); references out of it are refused when it is compiled. */
export function readInline(row: ProviderRow): SourceRefresh {
  if (row.spec_json === undefined || row.spec_json.trim() === '')
    return { is: 'failed', code: 'BAILING_SPEC_UNREADABLE', says: 'The provider has no inline document.' };
  return checkDocument(row.spec_json, undefined);
}
