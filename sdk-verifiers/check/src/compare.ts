import type { Run } from './runners.js';
import type { Party } from './vectors.js';

const show = (text: string | undefined): string =>
  text === undefined ? 'nothing' : text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;

function ranClean(party: Party, run: Run): string[] {
  const problems = [];
  if (run.code !== 0) problems.push(`${party}: the runner ended with ${run.code ?? 'a signal'}`);
  if (run.stderr !== '') problems.push(`${party}: it wrote to standard error: ${show(run.stderr.trim())}`);
  if (run.report === null) problems.push(`${party}: no report`);
  return problems;
}

/** What is wrong with one party's run: every case asked must be answered as expected, nothing more, and the count must be the same. */
export function compareToExpected(party: Party, run: Run, asked: ReadonlyMap<string, string | undefined>): string[] {
  const problems = ranClean(party, run);
  const report = run.report;
  if (report === null) return problems;
  if (report.language !== party) problems.push(`${party}: the report is of ${show(report.language)}`);
  const given = Object.keys(report.results);
  if (report.total !== given.length || given.length < asked.size) {
    problems.push(`${party}: ${asked.size} cases asked, ${given.length} answered, ${report.total} counted`);
  }
  for (const [id, expected] of asked) {
    const got = report.results[id];
    if (expected !== undefined && got !== expected) problems.push(`${party}: ${id}: expected ${show(expected)}, got ${show(got)}`);
  }
  return problems;
}

/** A clean answer of a verifier: a reason word, a gate's word, or a checked ticket. Never an exception, never a warning. */
export const CLEAN =
  /^(?:ok(?::[^]*)?|timestamp_out_of_window|bad_signature|bad_ticket|ticket_expired|200|401:[a-z_]+|403:[a-z_]+|invalid_arguments|[^]*#[0-9a-f]{64})$/;

/** Where the parties do not all give the same clean answer. */
export function compareToEachOther(runs: ReadonlyMap<Party, Run>, ids: readonly string[]): string[] {
  const problems = [...runs].flatMap(([party, run]) => ranClean(party, run));
  for (const id of ids) {
    const answers = [...runs].map(([party, run]) => [party, run.report?.results[id]] as const);
    const distinct = new Set(answers.map(([, answer]) => answer));
    const clean = answers.every(([, answer]) => answer !== undefined && CLEAN.test(answer));
    if (distinct.size > 1 || !clean) problems.push(`${id}: ${answers.map(([party, answer]) => `${party} ${show(answer)}`).join(' · ')}`);
  }
  return problems;
}
