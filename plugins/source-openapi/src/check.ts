import { compileDocument } from '@bailing/openapi';
import type { SourceRefresh, SpecProbe } from '@bailing/plugin-api';

/** A document that offers nothing because it is wrong as a whole never replaces a cached one. */
export function checkDocument(document: string, probe: SpecProbe | undefined): SourceRefresh {
  const broken = compileDocument(document).document.find((one) => one.severity === 'error');
  if (!broken) return { is: 'fresh', document, ...(probe && { probe }) };
  const where = broken.line === undefined ? '' : ` (line ${broken.line}, column ${broken.column ?? 1})`;
  return {
    is: 'failed',
    code: 'BAILING_SPEC_UNREADABLE',
    says: `${broken.message}${where} ${broken.suggestion ?? ''}`.trim(),
    ...(probe && { probe }),
  };
}
