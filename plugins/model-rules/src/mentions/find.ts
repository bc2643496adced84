import { latinConcepts } from '../words/lexicon.js';
import { takeDates } from './dates.js';
import { Masked } from './mention.js';
import type { Mention } from './mention.js';
import { takeNumbers } from './numbers.js';

export interface Found {
  /** In order of place. */
  readonly mentions: readonly Mention[];
  /** The text with every mention blanked. */
  readonly rest: string;
}

const QUOTES =
  /"([^"\n]{1,300})"|“([^”\n]{1,300})”|「([^」\n]{1,300})」|『([^』\n]{1,300})』|《([^》\n]{1,300})》|`([^`\n]{1,300})`|(?<![\p{L}\d])'([^'\n]{1,300})'(?![\p{L}\d])/gu;
export const SLUG = /(?<![\w-])[A-Za-z]{2,}(?:[-_][A-Za-z]{2,})+(?![\w-])/g;
export const ID = /[A-Za-z0-9]+(?:[-_/.#][A-Za-z0-9]+)*/g;
const NAME = /\b(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s+)?[A-Z][a-zA-Z'’-]+(?:\s+(?:of|de|van|von|the)?\s?[A-Z][a-zA-Z'’-]+)*/g;

/** Everything in a text that may become an argument; longer readings win over shorter ones. */
export function findMentions(text: string, today: string | undefined): Found {
  const masked = new Masked(text);
  const simple =
    (kind: Mention['kind']) =>
    (match: RegExpExecArray): Mention => ({
      kind,
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
      value: match[0],
    });
  const mentions = [
    ...masked.take(QUOTES, (match) => {
      const inside = match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim();
      return inside === undefined || inside === '' ? undefined : { ...simple('quoted')(match), value: inside };
    }),
    ...masked.take(/\bhttps?:\/\/[^\s，。；、）)\uE000]+/gi, simple('url')),
    ...masked.take(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b/g, simple('email')),
    ...takeDates(masked, today),
    ...masked.take(/(?<![\w-])(?:1[3-9]\d{9}|\+\d{1,3}[\s-]?\d[\d\s-]{5,13}\d)(?![\w-])/g, (match) => ({
      ...simple('phone')(match),
      value: match[0].replace(/[\s-]/g, ''),
    })),
    ...masked.take(ID, (match) => (isId(match[0]) ? simple('id')(match) : undefined)),
    ...takeNumbers(masked),
    ...masked.take(SLUG, simple('slug')),
    ...masked.take(NAME, (match) => nameOf(match, text)),
  ];
  return { mentions: mentions.sort((a, b) => a.start - b.start), rest: masked.text };
}

/** Letters and digits together, or digits joined by dashes; not a number with a unit. */
export function isId(text: string): boolean {
  if (!/\d/.test(text) || /^\d+(?:\.\d+)?$/.test(text)) return false;
  if (/^\d+(?:\.\d+)?(k|kg|g|m|cm|km|nights?|days?|pcs|usd|eur|rmb|cny|am|pm|st|nd|rd|th|hrs?|mins?|x)$/i.test(text)) return false;
  return /[A-Za-z]/.test(text) || /[-_/]/.test(text);
}

/** Capitalised words are names, except where any sentence would put a capital. */
function nameOf(match: RegExpExecArray, text: string): Mention | undefined {
  const words = match[0].split(/\s+/);
  const opens = match.index === 0 || /[.!?;:。！？；：\n]\s*$/.test(text.slice(0, match.index));
  const skip = opens && (words.length === 1 || isCommon(words[0] ?? '')) ? 1 : isCommon(words[0] ?? '') ? 1 : 0;
  const kept = words.slice(skip).join(' ');
  if (kept === '' || (words.length === skip + 1 && isCommon(kept))) return undefined;
  const start = match.index + match[0].indexOf(kept);
  return { kind: 'name', start, end: start + kept.length, text: kept, value: kept };
}

function isCommon(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    latinConcepts(lower).size > 0 ||
    /^(i|please|the|a|an|for|and|if|then|also|could|can|would|my|our|hi|hello|hey|thanks|thank|because|due|it|we|not|do|now|in|on|at|to|from|with)$/.test(
      lower,
    )
  );
}
