import { isAction } from '../words/lexicon.js';
import { hasHan, tokens } from '../words/tokens.js';
import { proseIn } from '../fill/prose.js';

/** A piece of the input that may be a step of its own. */
export interface Piece {
  readonly text: string;
  /** Whether only a weak separator ("and", a comma) stands before it, so that it may belong to the piece before. */
  readonly weak: boolean;
  /** Hangs on a condition: "if …", 如果…. */
  readonly conditional: boolean;
}

const STRONG =
  /[;；。！!？?\n]+|(?<!\b(?:Mr|Ms|Mrs|Dr|Prof|No|St))\.(?=\s|$)|(?:[,，、]\s*)?(?:\band\s+)?\b(?:then|afterwards|after that)\b[,，]?|[,，、]?\s*(?:然后|接着|随后|之后再|之后|最后再?|另外|此外)[,，]?/gi;
const WEAK =
  /(?:[,，]\s*)?\b(?:and|also|plus)\s+(?:also\s+|please\s+)?|[,，]\s*(?:并且?|再|也|还要|顺便|同时)?\s*|并且|并(?!发|列|行)|同时|(?<=.{4})再(?!次|见|说)/gi;
const CONDITION =
  /(?<!\b(?:check|see|know|confirm|ask|find out|tell me|verify|wonder)\s)\b(?:if|unless|in case|provided that|as long as|only when)\b|如果|假如|要是|倘若|除非|只有|一旦|若(?!干)|的话/i;
const CONSEQUENCE = /^\s*(?:then\b|就|则|那么|那就|才)/i;

/** Splits what was asked into pieces, weak cuts marked as such. Quotes and reasons are never cut by weak separators. */
export function split(input: string): Piece[] {
  const sentences = cutStrong(input);
  let hanging = false;
  return sentences.flatMap(({ text, joint }) => {
    const conditional = CONDITION.test(text) || (hanging && (CONSEQUENCE.test(text) || /then|就|则/i.test(joint)));
    hanging = conditional;
    if (conditional) return splitCondition(text);
    return cutWeak(text).map((piece, index) => ({ text: piece, weak: index > 0, conditional: false }));
  });
}

/** What stands before the condition, joined by "and" or a comma, does not hang on it. */
function splitCondition(text: string): Piece[] {
  const at = text.search(CONDITION);
  const before = at < 0 ? '' : text.slice(0, at);
  const free = /^(.*\S)\s*(?:[,，]\s*(?:and|but|but only|并且?|但)?|\band)\s*$/i.exec(before)?.[1];
  if (at > 0 && free !== undefined)
    return [
      ...cutWeak(free).map((piece, index) => ({ text: piece, weak: index > 0, conditional: false })),
      { text: text.slice(at), weak: false, conditional: true },
    ];
  return [{ text, weak: false, conditional: true }];
}

function cutStrong(input: string): { text: string; joint: string }[] {
  const masked = maskQuotes(input);
  const out: { text: string; joint: string }[] = [];
  let from = 0;
  let joint = '';
  for (const match of masked.matchAll(STRONG)) {
    push(out, input.slice(from, match.index), joint);
    joint = match[0];
    from = match.index + match[0].length;
  }
  push(out, input.slice(from), joint);
  return out;
}

function push(out: { text: string; joint: string }[], text: string, joint: string): void {
  if (text.trim() !== '') out.push({ text: text.trim(), joint });
}

/** Cuts before a piece that begins with a verb of its own. */
function cutWeak(sentence: string): string[] {
  const masked = proseIn(sentence).reduce(
    (text, { start, end }) => text.slice(0, start) + '\uE000'.repeat(end - start) + text.slice(end),
    maskQuotes(sentence),
  );
  const out: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(WEAK)) {
    const rest = masked.slice(match.index + match[0].length);
    if (match.index <= from || !beginsStep(rest)) continue;
    out.push(sentence.slice(from, match.index));
    from = match.index + match[0].length;
  }
  out.push(sentence.slice(from));
  return out.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function beginsStep(rest: string): boolean {
  const list = tokens(rest.slice(0, 40)).filter((token) => !/^(please|to|also|then|请|帮我|给我|再|也)$/i.test(token.text));
  const first = list[0];
  if (!first || first.start > 12) return false;
  const verbs = first.terms.filter(isAction);
  if (verbs.length > 0) {
    const noun = first.terms.length > verbs.length;
    return !noun || /^\s*(a|an|the|my|this|that|it|them|all|new|one|two|me)\b/i.test(rest.slice(first.end));
  }
  // Chinese puts the object first: 为订单A-1申请退款.
  return hasHan(rest.slice(0, 8)) && /^(为|给|把|将|对|帮)/.test(first.text) && list.some((token) => token.terms.some(isAction));
}

function maskQuotes(text: string): string {
  return text.replace(/"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|《[^》\n]*》|(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu, (quoted) =>
    '\uE000'.repeat(quoted.length),
  );
}
