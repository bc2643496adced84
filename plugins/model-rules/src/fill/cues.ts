import type { Mention } from '../mentions/mention.js';
import type { Token } from '../words/tokens.js';

/** Words that say which end of a range or a move a value is. */
const FROM_TERMS = new Set(['a:checkin', 'w:from', 'w:sourc', 'w:origin', 'a:start', 'w:since', 'w:begin']);
const TO_TERMS = new Set(['a:checkout', 'w:to', 'w:target', 'w:destination', 'w:until', 'w:due', 'a:finish', 'w:dest', 'w:return']);

export type End = 'from' | 'to' | undefined;

/** Which end a parameter is, by its name first, then its description. */
export function endOf(name: string, says: string, nameTerms: ReadonlySet<string>): End {
  const words = name.toLowerCase();
  if (/(^|_)(from|src|source|start|begin|since|origin)(_|$)|^(from|start|source|origin)[A-Z]/i.test(words) || has(nameTerms, FROM_TERMS))
    return 'from';
  if (/(^|_)(to|dst|dest|target|end|until|till|destination)(_|$)|^(to|end|target|dest)[A-Z]/i.test(name) || has(nameTerms, TO_TERMS))
    return 'to';
  if (/调出|来源|起始|开始|出发|源仓|入住/.test(says)) return 'from';
  if (/调入|目标|目的|结束|截止|到达|退房|离店/.test(says)) return 'to';
  return undefined;
}

function has(terms: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  return [...terms].some((term) => wanted.has(term));
}

/** Which end a mention is, by what stands before it and what follows it. */
export function endIn(text: string, mention: Mention, others: readonly Mention[]): End {
  const before = text.slice(Math.max(0, mention.start - 24), mention.start);
  if (/(\bto|\binto|\buntil|\btill|\bthrough|到|至|往|入|-|~|—|→)\s*(room|warehouse|shelf|bin|the|仓库|房间|仓|房)?\s*$/i.test(before))
    return 'to';
  if (/(\bfrom|\bbetween|\bsince|\bstarting|从|自|由)\s*(room|warehouse|shelf|bin|the|on|仓库|房间|仓|房)?\s*$/i.test(before))
    return 'from';
  const next = others.find((other) => other.start >= mention.end && other.kind === mention.kind);
  const between = next && text.slice(mention.end, next.start);
  return between !== undefined &&
    between.length <= 16 &&
    /^\s*\S{0,6}\s*(to|until|till|through|and|到|至|-|~|—|→|调到|转到|换到)/i.test(between)
    ? 'from'
    : undefined;
}

/**
 * How near the words of a parameter stand to a mention, 0 to 1. Words before weigh by distance and do not reach over another mention;
 * the word right behind counts a little.
 */
export function nearness(mention: Mention, words: ReadonlySet<string>, tokens: readonly Token[], mentions: readonly Mention[]): number {
  const barrier = Math.max(0, ...mentions.filter((other) => other !== mention && other.end <= mention.start).map((other) => other.end));
  let weight = 1;
  let best = 0;
  for (const token of tokens
    .filter((one) => one.end <= mention.start && one.start >= barrier)
    .reverse()
    .slice(0, 6)) {
    if (token.terms.some((term) => words.has(term))) best = Math.max(best, weight);
    if (token.terms.length > 0) weight *= 0.75;
  }
  const behind = tokens.find((one) => one.start >= mention.end && one.start - mention.end <= 1);
  return behind?.terms.some((term) => words.has(term)) ? Math.max(best, 0.6) : best;
}
