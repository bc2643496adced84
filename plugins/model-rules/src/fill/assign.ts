import type { Mention } from '../mentions/mention.js';
import type { Param } from './params.js';
import type { Clause } from './score.js';
import { fitOf } from './score.js';

export interface Assigned {
  readonly values: Map<Param, unknown>;
  /** Mentions that became values. */
  readonly used: Set<Mention>;
  /** Further values for one parameter, named in one breath: "orders and A-3". */
  readonly more: Map<Param, readonly unknown[]>;
  /** Mentions that fit a parameter as well as the one taken and stand elsewhere: too much to choose from. */
  readonly unclear: Map<Param, readonly Mention[]>;
  readonly quality: number;
}

/** Least score for a required parameter and for one that may stay empty. */
const REQUIRED_LEAST = 0.4;
const OPTIONAL_LEAST = 0.55;

/** Best pairs first; each mention and each parameter once. */
export function assign(params: readonly Param[], clause: Clause): Assigned {
  const out = { values: new Map<Param, unknown>(), used: new Set<Mention>(), more: new Map(), unclear: new Map(), quality: 0.5 };
  const scores: number[] = [];
  const scalars = params.filter((param) => param.type !== 'array' && param.type !== 'boolean');
  const pairs = scalars
    .flatMap((param) =>
      clause.mentions.flatMap((mention) => {
        const fit = fitOf(param, mention, clause, scalars);
        return fit ? [{ param, mention, ...fit, rank: fit.score + (param.required ? 0.1 : 0) }] : [];
      }),
    )
    .filter(({ param, score }) => score >= (param.required ? REQUIRED_LEAST : OPTIONAL_LEAST))
    .sort((a, b) => b.rank - a.rank || a.mention.start - b.mention.start);
  for (const { param, mention, value, score } of pairs) {
    if (out.values.has(param) || out.used.has(mention)) continue;
    scores.push(Math.min(score, 1.2));
    out.values.set(param, value);
    out.used.add(mention);
  }
  orderDates(out, scalars);
  for (const param of scalars) noteRest(param, pairs, clause, out);
  if (scores.length > 0) out.quality = scores.reduce((a, b) => a + b, 0) / scores.length;
  return out;
}

/** Two days for a start and an end are in the order of the calendar. */
function orderDates({ values }: Assigned, params: readonly Param[]): void {
  const days = params.filter((param) => param.role === 'date' && /^\d{4}-\d{2}-\d{2}/.test(String(values.get(param))));
  const [first, second] = days;
  if (days.length !== 2 || !first || !second) return;
  const from = String(values.get(first));
  const to = String(values.get(second));
  if (from <= to) return;
  values.set(first, to).set(second, from);
}

interface Pair {
  readonly param: Param;
  readonly mention: Mention;
  readonly value: unknown;
  readonly score: number;
}

function noteRest(param: Param, pairs: readonly Pair[], clause: Clause, out: Assigned): void {
  const mine = pairs.filter((pair) => pair.param === param);
  const taken = mine.find((pair) => out.used.has(pair.mention) && out.values.get(param) === pair.value);
  if (!taken) return;
  const chain = [taken.mention];
  for (const pair of mine.sort((a, b) => a.mention.start - b.mention.start)) {
    if (out.used.has(pair.mention) || pair.mention.kind !== taken.mention.kind) continue;
    if (chain.some((link) => inOneBreath(clause.text, link, pair.mention))) {
      chain.push(pair.mention);
      out.used.add(pair.mention);
      out.more.set(param, [...(out.more.get(param) ?? []), pair.value]);
    } else if (param.required && pair.score >= taken.score - 0.05 && pair.value !== taken.value) {
      out.unclear.set(param, [...(out.unclear.get(param) ?? []), pair.mention]);
    }
  }
}

/** Only a comma or an "and" between them, perhaps with the noun again. */
export function inOneBreath(text: string, a: Mention, b: Mention): boolean {
  const [first, second] = a.start < b.start ? [a, b] : [b, a];
  const between = text.slice(first.end, second.start);
  return (
    between.length <= 14 &&
    /^\s*(,|，|、|and|&|和|与|及|以及|跟|\/)[\s,，]*(and\s+|和)?(\p{Script=Han}{0,4}|[a-z]{0,9})\s*$/iu.test(between)
  );
}
