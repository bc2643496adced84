import { line } from '../audit/index.js';
import { reasons } from './freezing.js';
import { ofProvider } from './notices.js';
import type { RefreshDeps, Sourced } from './refresh-words.js';

/**
 * An operator accepts what froze these tools (`*` is everything that is frozen). Answers the tools that are callable again; what was not frozen is
 * left out.
 */
export async function acceptLooser({ row }: Sourced, tools: readonly string[], by: string, deps: RefreshDeps): Promise<readonly string[]> {
  const state = await deps.revisions.state(row.name);
  const frozen = (state?.frozen ?? []).map(({ tool }) => tool);
  const wanted = tools.includes('*') ? frozen : frozen.filter((tool) => tools.includes(tool));
  if (wanted.length === 0) return [];
  const accepted = line('spec_accepted', ofProvider(row.name), deps.clock.now(), { provider: row.name, tools: wanted, by });
  const thawed = await deps.revisions.accept(row.name, wanted, accepted);
  const now = await deps.revisions.state(row.name);
  deps.catalogue.freeze(row.name, reasons(now?.frozen ?? []));
  return thawed;
}
