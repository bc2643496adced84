import { parseArgs } from 'node:util';
import type { Effort } from './compare.js';

/** Parts of `bench calls`; all of them unless `--only` names some. */
export const PARTS = ['calls', 'slow-sync', 'many-tools', 'huge-answer', 'profile'] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  readonly json: boolean;
  readonly quick: boolean;
  /** Also put the figures into docs/reference/performance.md. */
  readonly write: boolean;
  readonly parts: ReadonlySet<Part>;
  readonly effort: Effort;
}

export const USAGE = `npm run bench -- calls [--quick] [--json] [--profile] [--write] [--only <part>,<part>]
npm run bench -- jobs [--quick] [--json] [--write]
npm run bench -- size [--quick] [--json] [--write]

  --quick    shorter windows, fewer rounds: about a minute instead of ten
  --json     the report as JSON on standard output, progress on standard error
  --profile  also tells which functions of the hub take its time
  --write    puts the figures into docs/reference/performance.md, or size.md
  --only     some of: ${PARTS.join(', ')}
`;

/** @throws Error with a sentence for the operator */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const named = values.only?.split(',').map((part) => part.trim()) ?? PARTS.filter((part) => part !== 'profile' || values.profile);
  const unknown = named.filter((part) => !PARTS.includes(part as Part));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: name some of ${PARTS.join(', ')}.`);
  if (values.write && values.only !== undefined) throw new Error('--write needs the whole run: leave out --only.');
  const effort = values.quick ? { seconds: 0.5, rounds: 3, warm: 3_000 } : { seconds: 2, rounds: 5, warm: 8_000 };
  return { json: values.json, quick: values.quick, write: values.write, parts: new Set(named as Part[]), effort };
}
