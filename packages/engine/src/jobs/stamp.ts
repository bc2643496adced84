import type { Catalogue } from '../catalog/index.js';

/** What a job is stamped with by the commit that takes it: the set of revisions its tools come from, until it is over. */
export async function stampOf({ catalogue }: { readonly catalogue: Catalogue }): Promise<{ readonly specSet?: string }> {
  const set = await catalogue.stamp();
  return set === undefined ? {} : { specSet: set };
}
