import type { Token } from '../words/tokens.js';
import { terms } from '../words/tokens.js';
import type { Param } from './params.js';

const ENGLISH_NOT = /\b(not|no|without|never|don't|doesn't|exclude|excluding|skip|off)\s+(\w+\s+){0,2}$/i;
const CHINESE_NOT = /(不|无|没有|没|别|免|非|不要|不含|不带)\s*$/;

/** The one value of an enumeration that the text names; undefined where it names none or several. */
export function chosen(
  values: readonly unknown[],
  param: Param,
  text: string,
  tokens: readonly Token[],
  spoken: ReadonlySet<string>,
): unknown {
  const named = values.filter((value) => namesLiterally(text, String(value)));
  if (named.length === 1) return named[0];
  if (named.length > 1) return longestOnly(named);
  const aliases = aliasesOf(param.says, values);
  const aliased = values.filter((value) => (aliases.get(value) ?? []).some((alias) => mentions(text, alias)));
  if (aliased.length === 1) return aliased[0];
  const meant = values.filter((value) => means(String(value), tokens, spoken));
  return meant.length === 1 ? meant[0] : undefined;
}

/** "in transit" contains "transit": the longer name was meant, unless two of them stand side by side. */
function longestOnly(named: readonly unknown[]): unknown {
  const byLength = [...named].sort((a, b) => String(b).length - String(a).length);
  const [first, ...rest] = byLength;
  return rest.every((other) => String(first).toLowerCase().includes(String(other).toLowerCase())) ? first : undefined;
}

function namesLiterally(text: string, value: string): boolean {
  if (value === '' || (value.length < 2 && !/\p{Script=Han}/u.test(value))) return false;
  return mentions(text, value) || mentions(text, value.replace(/[_-]+/g, ' '));
}

function mentions(text: string, words: string): boolean {
  const escaped = words.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (escaped === '') return false;
  return new RegExp(/^[\p{Script=Han}]/u.test(words) ? escaped : `(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'i').test(text);
}

/** Same meaning in the other language or another form of the word. What the clause does is not taken for one of its values. */
function means(value: string, tokens: readonly Token[], spoken: ReadonlySet<string>): boolean {
  const wanted = [...terms(value)].filter((term) => !spoken.has(term));
  return wanted.length > 0 && wanted.every((term) => tokens.some((token) => token.terms.includes(term)));
}

/** `std = standard room, dlx = deluxe` and the like out of a description. */
export function aliasesOf(says: string, values: readonly unknown[]): Map<unknown, string[]> {
  const out = new Map<unknown, string[]>();
  for (const value of values) {
    const escaped = String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const behind = new RegExp(
      `(?<![A-Za-z0-9])[\`'"]?${escaped}[\`'"]?\\s*(?:=|:|：|-|–|—|（|\\(|表示|代表|means)\\s*([^,，;；、。.()（）|/]{1,30})`,
      'i',
    ).exec(says)?.[1];
    const words = behind?.trim();
    if (words !== undefined && words !== '')
      out.set(
        value,
        [words, ...words.split(/\s+or\s+|或/)].map((one) => one.trim()),
      );
  }
  return out;
}

/** True or false where the text speaks of the thing; undefined where it does not. */
export function yesOrNo(param: Param, text: string, tokens: readonly Token[], spoken: ReadonlySet<string>): boolean | undefined {
  const wanted = [...param.nameTerms].filter(
    (term) => !spoken.has(term) && !/^w:(is|has|includ|with|enabl|flag|need|requir|onli)$/.test(term),
  );
  if (wanted.length === 0) return undefined;
  const at = tokens.find((token) => token.terms.some((term) => wanted.includes(term)));
  if (!at || !wanted.every((term) => tokens.some((token) => token.terms.includes(term)))) return undefined;
  const before = text.slice(Math.max(0, at.start - 30), at.start);
  const after = text.slice(at.end, at.end + 12);
  if (/^\s*(=|:|：|is|是|为)?\s*(false|no\b|off\b|否|不)/i.test(after)) return false;
  return !(ENGLISH_NOT.test(before) || CHINESE_NOT.test(before));
}
