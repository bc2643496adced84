import { compareToEachOther } from '../compare.js';
import { runnerOf, runVectors, type Run } from '../runners.js';
import { askedOf, type Party } from '../vectors.js';
import { corpus, withCorpus, type FuzzOptions } from './corpus.js';

export interface FuzzResult {
  readonly cases: number;
  /** How many cases got each answer from the first party, so that a corpus that only ever refuses is seen. */
  readonly answers: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

function tally(run: Run | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of Object.values(run?.report?.results ?? {})) {
    const word = answer.startsWith('ok:') ? 'ok' : /#[0-9a-f]{64}$/.test(answer) ? 'canonical' : answer;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

/** Replays a generated corpus to the parties: every answer must be clean, and all must agree. */
export function fuzz(parties: readonly Party[], options: FuzzOptions): Promise<FuzzResult> {
  const files = corpus(options);
  return withCorpus(files, async (folder) => {
    const runs = new Map<Party, Run>();
    for (const party of parties) runs.set(party, await runVectors(runnerOf(party), folder));
    const problems: string[] = [];
    const groups = [parties.filter((party) => party !== 'hub'), [...parties]];
    const ids = files.flatMap((file) => file.cases.map((item) => item.id));
    const hub = askedOf(files, 'hub');
    const byHub = parties.includes('hub') ? ids.filter((id) => hub.has(id)) : [];
    const sdksOnly = ids.filter((id) => !byHub.includes(id));
    for (const [asked, group] of [
      [sdksOnly, groups[0]],
      [byHub, groups[1]],
    ] as const) {
      problems.push(...compareToEachOther(new Map([...runs].filter(([party]) => group?.includes(party))), asked));
    }
    return { cases: ids.length, answers: tally(runs.get(parties[0] ?? 'node')), problems: [...new Set(problems)] };
  });
}
