import type { Concept } from './lexicon.js';
import { hanParts, isEmptyLatin, latinConcepts } from './lexicon.js';
import { stem } from './stem.js';

/** One word of a text as comparisons see it. */
export interface Token {
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Comparable forms: concepts (`a:…`, `t:…`), else a stem (`w:…`) or character pairs (`z:…`). Empty for words without weight. */
  readonly terms: readonly string[];
}

const PIECES = /[\p{Script=Han}]+|[A-Za-z]+|\d+/gu;
const HAN = /\p{Script=Han}/u;

export function hasHan(text: string): boolean {
  return HAN.test(text);
}

/** Splits camelCase, snake_case and runs of Chinese; keeps the order and the places. */
export function tokens(text: string): Token[] {
  const out: Token[] = [];
  for (const match of text.matchAll(PIECES)) {
    if (hasHan(match[0])) out.push(...hanTokens(match[0], match.index));
    else if (/^\d/.test(match[0])) continue;
    else out.push(...latinTokens(match[0], match.index));
  }
  return joined(out);
}

/** Every comparable form in a text, with how often it occurs. */
export function terms(text: string): Set<string> {
  return new Set(tokens(text).flatMap((token) => token.terms));
}

export function concepts(text: string): Set<Concept> {
  return new Set([...terms(text)].filter((term) => term.startsWith('a:') || term.startsWith('t:')));
}

function latinTokens(word: string, at: number): Token[] {
  const out: Token[] = [];
  for (const part of word.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)) {
    const lower = part[0].toLowerCase();
    out.push({ text: part[0], start: at + part.index, end: at + part.index + lower.length, terms: latinTerms(lower) });
  }
  return out;
}

function latinTerms(lower: string): string[] {
  const known = [...latinConcepts(lower)];
  if (known.length > 0) return known;
  return isEmptyLatin(lower) || lower.length < 2 ? [] : [`w:${stem(lower)}`];
}

function hanTokens(run: string, at: number): Token[] {
  return hanParts(run).map((part) => ({
    text: part.text,
    start: at + part.at,
    end: at + part.at + part.text.length,
    terms: part.known ? [...part.concepts] : pairs(part.text),
  }));
}

function pairs(text: string): string[] {
  if (text.length === 1) return [`z:${text}`];
  return Array.from({ length: text.length - 1 }, (_, index) => `z:${text.slice(index, index + 2)}`);
}

/** Two English words with one meaning. */
const PAIRS: Readonly<Record<string, string>> = {
  'look up': 'a:read',
  'check in': 'a:checkin',
  'checks in': 'a:checkin',
  'checking in': 'a:checkin',
  'check out': 'a:checkout',
  'checking out': 'a:checkout',
  'how many': 'a:count',
  'how much': 'a:count',
  'carry out': 'a:execute',
  'right away': 'a:execute',
  'at once': 'a:execute',
  'straight away': 'a:execute',
  'call off': 'a:cancel',
  'money back': 'a:refund',
  'give back': 'a:giveback',
  'stock in': 'a:receive',
  'sign up': 'a:create',
  'switch off': 'a:block',
  'turn off': 'a:block',
  'switch on': 'a:unblock',
  'turn on': 'a:unblock',
};

function joined(list: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let at = 0; at < list.length; at++) {
    const one = list[at];
    const two = list[at + 1];
    if (!one) continue;
    const term = two && PAIRS[`${one.text} ${two.text}`.toLowerCase()];
    if (term !== undefined && two && two.start - one.end <= 1) {
      out.push({ text: `${one.text} ${two.text}`, start: one.start, end: two.end, terms: [term] });
      at++;
    } else out.push(one);
  }
  return out;
}
