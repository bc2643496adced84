import type { Revision } from '@bailing/engine';
import type { ToolProviderResource } from '@bailing/resources';

/** What a choice of `public_allowed` makes readable, said wherever the choice shows (WIRE §4.1). Empty for any other choice. */
export function publicWarnings(
  { name, spec_source: source, spec_access_policy: policy }: Pick<ToolProviderResource, 'name' | 'spec_source' | 'spec_access_policy'>,
  revision?: Revision,
): readonly string[] {
  if (source !== 'url' || policy !== 'public_allowed') return [];
  const many = revision ? `all ${String(revision.report.operations.length)} operations` : 'every operation';
  return [
    `The document of ${name} may be read by anyone who reaches its address: names, paths, parameters, schemas and descriptions of ${many}, ` +
      'those that are no tools included. Calls still need a signature. Choose signed_required to keep it to this hub.',
  ];
}
