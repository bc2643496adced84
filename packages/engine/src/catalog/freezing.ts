import { sha256Hex } from '@bailing/contract';
import type { FrozenRow, SpecFact, SpecState } from '../ports/index.js';
import type { Revision } from './revision.js';

/** Facts kept with one frozen tool. */
const MAX_FACTS = 50;
/** The whole provider, as an entry. */
export const WHOLE = '*';

export interface Freezing {
  readonly freeze: readonly FrozenRow[];
  readonly thaw: readonly string[];
}

export interface FreezingInput {
  readonly state: SpecState | null;
  readonly before: Revision | undefined;
  readonly after: Revision;
  readonly baseUrl: string;
  readonly looser: readonly SpecFact[];
  readonly freezes: boolean;
  readonly at: number;
}

/**
 * What a new revision freezes and thaws. A tool that became looser is frozen with the facts and with the fingerprint it had when it was last
 * accepted; a tool that goes back to that fingerprint, or is gone, thaws by itself.
 */
export function freezing({ state, before, after, baseUrl, looser, freezes, at }: FreezingInput): Freezing {
  const frozen = new Map((state?.frozen ?? []).map((row) => [row.tool, row]));
  const thaw = [...frozen.values()].filter((row) => isBack(row, after, baseUrl)).map(({ tool }) => tool);
  for (const tool of thaw) frozen.delete(tool);
  if (!freezes) return { freeze: [], thaw };
  const freeze = [...byTool(looser)]
    .filter(([tool]) => !thaw.includes(tool))
    .map(([tool, facts]): FrozenRow => {
      const row = frozen.get(tool);
      const all = [...(row?.facts ?? []), ...facts].slice(-MAX_FACTS);
      return { tool, accepted: row?.accepted ?? acceptedBefore(tool, before, state), facts: all, since: row?.since ?? at };
    });
  return { freeze, thaw };
}

function byTool(facts: readonly SpecFact[]): ReadonlyMap<string, readonly SpecFact[]> {
  const found = new Map<string, SpecFact[]>();
  for (const fact of facts) {
    const tool = fact.tool === '' ? WHOLE : fact.tool;
    found.set(tool, [...(found.get(tool) ?? []), fact]);
  }
  return found;
}

function isBack({ tool, accepted }: FrozenRow, after: Revision, baseUrl: string): boolean {
  if (tool === WHOLE) return accepted === sha256Hex(baseUrl);
  const now = after.tools.get(tool)?.definition.fingerprint;
  return now === undefined || now === accepted;
}

function acceptedBefore(tool: string, before: Revision | undefined, state: SpecState | null): string {
  return tool === WHOLE ? sha256Hex(state?.baseUrl ?? '') : (before?.tools.get(tool)?.definition.fingerprint ?? '');
}

/** The reason by tool, as the exit and the view tell it. */
export function reasons(frozen: readonly FrozenRow[]): ReadonlyMap<string, string> {
  return new Map(
    frozen.map(({ tool, facts }) => [
      tool,
      facts
        .map(({ says }) => says)
        .join(' ')
        .slice(0, 500),
    ]),
  );
}
