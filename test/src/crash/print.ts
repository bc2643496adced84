import type { Played } from './matrix.js';
import { actOf, edgeOf, promiseOf } from './words.js';

const TTY = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
const paint = (code: number, text: string): string => (TTY ? `\u001b[${String(code)}m${text}\u001b[0m` : text);

/** One row of the table as soon as it is known, and under it what was broken. */
export function print({ edge, database, facts, broken, ms }: Played): void {
  const ok = broken.length === 0;
  const cells = [
    ok ? paint(32, 'ok ') : paint(31, 'RED'),
    database.padEnd(6),
    `${edge.story.door} ${edge.story.name}`.padEnd(30),
    `${actOf(edge.act)}: ${edgeOf(edge)}`.padEnd(74),
    promiseOf(edge).padEnd(26),
    facts ? `${String(facts.effects)} of ${String(facts.calls)}` : '-',
    facts ? `${facts.status}${facts.error === '' ? '' : ` (${facts.error})`}` : 'no end',
    `${(ms / 1_000).toFixed(1)} s`,
  ];
  process.stdout.write(`${cells.join('  ')}\n`);
  for (const one of broken) process.stdout.write(`     ${paint(31, one)}\n`);
  if (!ok && facts) process.stdout.write(`     ${JSON.stringify(facts)}\n`);
}

export function printEnd(played: readonly Played[], red: readonly Played[], ms: number): void {
  const doubles = played.filter(({ facts }) => (facts?.doubles ?? 0) > 0).length;
  const lost = played.filter(({ facts }) => facts === null).length;
  const edges = new Set(played.map(({ edge }) => edge)).size;
  process.stdout.write(
    `\n${String(edges)} edges, ${String(played.length)} runs in ${(ms / 1_000).toFixed(0)} s: ${String(doubles)} double effects, ${String(lost)} lost, ${String(red.length)} red\n`,
  );
}
