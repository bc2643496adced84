import type { Token } from '../words/tokens.js';
import { hasHan } from '../words/tokens.js';
import type { Param } from './params.js';
import { PEOPLE } from './params.js';
import { tidy } from './prose.js';
import type { Clause } from './score.js';

/** Text values that no mention covers: labelled ones, Chinese names behind their noun, what a search is about. */
export function wordsFor(param: Param, clause: Clause, siblings: readonly Param[]): string | undefined {
  if (param.type !== 'string' || Array.isArray(param.node.enum) || param.role === 'date' || param.role === 'identifier') return undefined;
  return (
    labelled(param, clause, siblings) ??
    introduced(param, clause) ??
    behindNoun(param, clause, siblings) ??
    (param.required ? besideNoun(param, clause) : undefined)
  );
}

/** `note: leave at the door`, `备注：放门口`, `city = Berlin`. */
function labelled(param: Param, clause: Clause, siblings: readonly Param[]): string | undefined {
  const others = siblings.filter((other) => other !== param);
  const own = [...param.allTerms].filter((term) => param.nameTerms.has(term) || !others.some((other) => other.allTerms.has(term)));
  for (const token of clause.tokens) {
    const label = token.terms.some((term) => own.includes(term)) || token.text.toLowerCase() === param.name.toLowerCase();
    const value = label ? /^\s*(?:[:：=]|是(?!否)|为)\s*([^,，;；。\n]{1,300})/.exec(clause.text.slice(token.end))?.[1] : undefined;
    if (value !== undefined && tidy(value) !== '') return tidy(value);
  }
  return undefined;
}

const INTRODUCED: Partial<Record<Param['role'], RegExp>> = {
  title: /(?:titled|entitled|named|called|标题为|名为|叫做?)\s*(.{1,120})$/i,
  query:
    /(?:\babout|\bcontaining|\bmatching|\bon the (?:topic|subject) of|关于|有关|包含|含有)\s*(.{1,80}?)(?:\s*(?:的|方面|相关).{0,8})?$/i,
};

function introduced(param: Param, clause: Clause): string | undefined {
  const value = INTRODUCED[param.role]?.exec(clause.text.replace(/[\s?？。.!！]+$/u, ''))?.[1];
  return value === undefined || tidy(value) === '' ? undefined : tidy(value);
}

/** 客人王小明 → 王小明: unknown characters right behind the noun of the parameter. For places also behind 在, 从, 到. */
function behindNoun(param: Param, clause: Clause, siblings: readonly Param[]): string | undefined {
  if (param.role !== 'person' && param.role !== 'place' && param.role !== 'title' && param.role !== 'plain') return undefined;
  const own = [...param.allTerms].filter((term) => !siblings.some((other) => other !== param && other.nameTerms.has(term)));
  const wanted = new Set(own.length > 0 ? own : param.allTerms);
  for (const [index, token] of clause.tokens.entries()) {
    const noun = token.terms.some(
      (term) => term.startsWith('t:') && (wanted.has(term) || (param.role === 'person' && PEOPLE.includes(term))),
    );
    const preposition =
      (param.role === 'place' && /^[在从到去]$/.test(token.text)) || (param.role === 'person' && /^[为给帮替]$/.test(token.text));
    const value = noun || preposition ? unknownFrom(clause.tokens, index + 1, token.end) : undefined;
    if (value !== undefined) return value;
    if (param.role === 'place' && isUnknown(token) && clause.text.startsWith('的', token.end)) return token.text;
  }
  return undefined;
}

function isUnknown(token: Token): boolean {
  return (
    hasHan(token.text) &&
    token.terms.length > 0 &&
    token.terms.every((term) => term.startsWith('z:')) &&
    token.text.length >= 2 &&
    token.text.length <= 8
  );
}

function unknownFrom(tokens: readonly Token[], index: number, end: number): string | undefined {
  const next = tokens[index];
  if (!next || next.start !== end || !hasHan(next.text)) return undefined;
  if (/^(叫|是|为|名叫)$/.test(next.text)) return unknownFrom(tokens, index + 1, next.end);
  if (isUnknown(next)) return next.text;
  // 王和平: a single unknown character, then one that means something by itself.
  const [middle, last] = [tokens[index + 1], tokens[index + 2]];
  const split = next.text.length === 1 && next.terms[0]?.startsWith('z:') && middle?.start === next.end && middle.text.length === 1;
  if (!split) return undefined;
  return last?.start === middle.end && last.text.length === 1 && last.terms[0]?.startsWith('z:')
    ? next.text + middle.text + last.text
    : next.text + middle.text;
}

/** What is left of a clause without verbs, known nouns and empty words: what a search is about. */
export function topic(clause: Clause): string | undefined {
  const left = clause.tokens.filter((token) => token.terms.some((term) => term.startsWith('w:') || term.startsWith('z:')));
  const first = left[0];
  const last = left.at(-1);
  if (!first || !last) return undefined;
  return tidy(clause.text.slice(first.start, last.end));
}

/** "the service billing": a word without a meaning of its own right behind the noun of a required parameter. */
function besideNoun(param: Param, clause: Clause): string | undefined {
  for (const [index, token] of clause.tokens.entries()) {
    const next = clause.tokens[index + 1];
    const adjacent = next !== undefined && next.start - token.end === 1 && next.terms.length === 1 && next.terms[0]?.startsWith('w:');
    if (adjacent && token.terms.some((term) => (term.startsWith('w:') || term.startsWith('t:') ? param.nameTerms.has(term) : false)))
      return next.text;
  }
  return undefined;
}
