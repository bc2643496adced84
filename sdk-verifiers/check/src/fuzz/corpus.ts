import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { PARTIES, type Party, type VectorCase, type VectorFile } from '../vectors.js';
import { canonicals, jsonBytes, tickets } from './json.js';
import { callbacks, gates, headerLists, toolCalls } from './signed.js';

/** A question before it has an id. */
export interface Draft {
  readonly group: string;
  readonly kind: string;
  readonly now?: number;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface FuzzOptions {
  /** Same seed and size, same corpus. */
  readonly seed: number;
  /** Multiplies the number of cases; 1 is about five thousand. */
  readonly size?: number;
}

const SDKS_ONLY: readonly Party[] = ['node', 'python', 'php'];
const PLAN: readonly (readonly [fc.Arbitrary<Draft>, number])[] = [
  [toolCalls, 1400],
  [callbacks, 600],
  [headerLists, 700],
  [tickets, 1000],
  [gates(jsonBytes), 700],
  [canonicals, 800],
];

/** The hub takes signed calls as text: a case with bytes that are no UTF-8 is not asked of it. */
function isText(input: Draft['input']): boolean {
  return Object.entries(input).every(([name, value]) => {
    if (!name.endsWith('Hex') || name === 'bodyHex') return true;
    const bytes = Buffer.from(String(value), 'hex');
    return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
  });
}

function fileOf(group: string, drafts: readonly Draft[]): VectorFile {
  const shared = group === 'gate' || group === 'header-parsing' ? SDKS_ONLY : PARTIES;
  const cases = drafts.map(({ kind, now, input }, at): VectorCase => {
    const parties = isText(input) ? shared : SDKS_ONLY;
    return { id: `${group}/fuzz-${at}`, kind, note: 'generated', flags: [], parties, input, ...(now === undefined ? {} : { now }) };
  });
  const clock = group === 'callback' || group === 'ticket' ? 'ms' : 's';
  return {
    bailing: 'verifier-vectors',
    version: 1,
    generatedBy: 'sdk-verifiers/check/fuzz',
    group,
    clock,
    parties: shared,
    count: cases.length,
    flags: {},
    cases,
  };
}

/** Generates the corpus: one file per group, in the format of the vectors, without expected answers. */
export function corpus({ seed, size = 1 }: FuzzOptions): readonly VectorFile[] {
  return PLAN.map(([arbitrary, count], at) => {
    const drafts = fc.sample(arbitrary, { seed: seed + at, numRuns: Math.ceil(count * size) });
    return fileOf(drafts[0]?.group ?? 'empty', drafts);
  });
}

/** Lets `use` look at a folder with the corpus in it, which goes away afterwards. */
export async function withCorpus<T>(files: readonly VectorFile[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bailing-fuzz-'));
  try {
    for (const file of files) writeFileSync(path.join(folder, `${file.group}.json`), JSON.stringify(file));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
