import path from 'node:path';
import { compareToExpected } from './compare.js';
import { fuzz } from './fuzz/run.js';
import { missing, runnerOf, runVectors, SDKS } from './runners.js';
import { askedOf, PARTIES, readVectors, type Party, type VectorFile } from './vectors.js';

const SHOWN = 40;

function numberOption(argv: readonly string[], name: string, fallback: number): number {
  const at = argv.indexOf(`--${name}`);
  const value = at < 0 ? fallback : Number(argv[at + 1]);
  if (!Number.isFinite(value)) throw new Error(`--${name} needs a number.`);
  return value;
}

interface Outcome {
  readonly party: Party;
  /** How many cases were answered, or why none was. */
  readonly says: string;
  readonly problems: readonly string[];
}

async function ask(party: Party, files: readonly VectorFile[], folder: string): Promise<Outcome> {
  const why = missing(party);
  if (why !== null) return { party, says: why, problems: process.env['CI'] ? [`${party}: ${why}, and CI refuses that`] : [] };
  const run = await runVectors(runnerOf(party), folder);
  return { party, says: String(run.report?.total ?? 0), problems: compareToExpected(party, run, askedOf(files, party)) };
}

function complain(problems: readonly string[]): void {
  for (const problem of problems.slice(0, SHOWN)) process.stderr.write(`  ${problem}\n`);
  if (problems.length > SHOWN) process.stderr.write(`  … and ${problems.length - SHOWN} more\n`);
}

/**
 * Asks every party every vector, then replays the fuzz corpus to all of them. Prints what differs, and at the end one line:
 * `vectors node N · python N · php N · hub N`. Answers the exit code.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const folder = path.join(SDKS, 'vectors');
  const files = readVectors(folder);
  const outcomes: Outcome[] = [];
  for (const party of PARTIES) outcomes.push(await ask(party, files, folder));
  const there = outcomes.filter(({ says }) => /^\d+$/.test(says)).map(({ party }) => party);
  const [seed, size] = [numberOption(argv, 'seed', 20_240_610), numberOption(argv, 'size', 1)];
  const fuzzed = await fuzz(there, { seed, size });
  const problems = [...outcomes.flatMap((outcome) => outcome.problems), ...fuzzed.problems];
  complain(problems);
  process.stdout.write(`fuzz ${fuzzed.cases} cases of seed ${seed} · ${there.join(' ')} · ${fuzzed.problems.length} differences\n`);
  process.stdout.write(`vectors ${outcomes.map(({ party, says }) => `${party} ${says}`).join(' · ')}\n`);
  return problems.length === 0 ? 0 : 1;
}
