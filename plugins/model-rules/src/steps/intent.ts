import { isAction, looks } from '../words/lexicon.js';
import type { Token } from '../words/tokens.js';
import { hasHan, tokens } from '../words/tokens.js';

/** What a clause asks for, apart from its values. */
export interface Intent {
  readonly verb: string | undefined;
  /** All verbs, the main one first. */
  readonly verbs: readonly string[];
  /** Comparable words with their weight in the comparison. */
  readonly words: ReadonlyMap<string, number>;
  /** "do not", 不要: the thing is not to be done. */
  readonly negated: boolean;
  /** "how do I", 能不能: a question about doing, not a request to do. */
  readonly asking: boolean;
  /** "has it been shipped?", 发货了吗: a question about how things are, which nothing but looking answers. */
  readonly state: boolean;
  /** Something is wanted though no known verb says what: 帮…, "I need …". */
  readonly wants: boolean;
}

const DETERMINER = /^\s*(a|an|the|my|our|this|that|these|those|all|every|new|some|it|them|\d|one|two|three|room|table|for|me|us)\b(?!-)/i;
const OPENER =
  /^(?:please|kindly|can you|could you|would you|will you|i want to|i would like to|i'd like to|i need to|help me|let's|now|then|also|and|to|go ahead and|just)\b[\s,]*/i;
const NOT =
  /\b(?:do not|don't|dont|never|must not|should not|shouldn't|no need to|rather than|instead of)\b|(?<!能|可)(?:不要|别(?!人|的|处)|不用|无需|不必|勿|不许)/gi;
const ASKING =
  /\bhow (?:do|can|could|would|should|to)\b|^\s*(?:can|may|could|should|shall|must) (?!you\b)|\bis it possible\b|\bam i able\b|\bwhat happens\b|怎么(?!样)|如何|(?<!你|帮我?)(?:能不能|能否|可不可以|是否可以|可以|能).{0,12}[吗么]|(?:能不能|能否|可不可以|是否可以)(?!帮|请|给我|查)/i;

const WANTS = /\b(?:i want|i need|i would like|i'd like|please|wants? to|needs? to)\b|(?:帮|请|麻烦|想|要(?!是)|需要|希望|给|为)/i;
const STATE =
  /^(?:is|are|was|were|has|did|does|will|when|where|who|whom|whose|which|what|how (?:many|much|long|far|is|are|was))\b|(?:了吗|了没有?|过吗|没有)[?？。\s]*$|是否(?!可以)|有没有|什么时候|何时|多久|哪里|在哪|是谁|几点|多少(?!钱?给)|怎么样|如何了|到哪/i;

/** @param known words that are verbs among the tools at hand, beside those of the lexicon */
export function intentOf(clause: string, known: ReadonlySet<string>): Intent {
  const list = tokens(clause);
  const verbs = verbsOf(clause, list, known);
  const words = new Map<string, number>();
  for (const token of list) {
    for (const term of token.terms) {
      if (isAction(term) && !verbs.includes(term) && token.terms.length > 1) continue;
      words.set(term, Math.max(words.get(term) ?? 0, weightOf(term)));
    }
  }
  const polite = /\b(?:can|could|would|will) you\b/i.test(clause);
  return {
    verb: verbs[0],
    verbs,
    words,
    negated: isNegated(clause, list),
    asking: ASKING.test(clause) && !polite,
    state: isAboutState(clause) && !polite,
    wants: WANTS.test(clause) && verbs.length === 0,
  };
}

/** "do not" and its like count where a verb follows: "no breakfast" negates nothing that is done. */
function isNegated(clause: string, list: readonly Token[]): boolean {
  return [...clause.matchAll(NOT)].some((match) => {
    const from = match.index + match[0].length;
    return list.some((token) => token.start >= from && token.start <= from + 14 && token.terms.some(isAction));
  });
}

function isAboutState(clause: string): boolean {
  return STATE.test(clause.slice(openedAt(clause))) || (/^\s*(?:have|had)\b/i.test(clause) && /\bbeen\b|\?/.test(clause));
}

/** Verbs that say what kind of thing is done weigh less than nouns: they are compared on their own. */
function weightOf(term: string): number {
  if (term.startsWith('a:')) return looks(term) ? 0.3 : 1;
  return term.startsWith('z:') ? 0.5 : 1;
}

function verbsOf(clause: string, list: readonly Token[], known: ReadonlySet<string>): string[] {
  const opened = openedAt(clause);
  const found = list.flatMap((token) => {
    const actions = token.terms.filter((term) => isAction(term) || known.has(term));
    if (/^(?:is|are|does)$/i.test(token.text) && token.start > opened + 1) return [];
    if (actions.length === 0 || (token.terms.length > actions.length && !standsAsVerb(token, clause, opened))) return [];
    // "get" opens "get my money back" as well as "get the order": it leads only where nothing else does.
    return actions.map((action) => ({ action, first: token.start <= opened + 1 && !/^get$/i.test(token.text) }));
  });
  // A verb that opens the clause leads; else one that changes something leads over one that only looks.
  const leading = found.find((one) => one.first) ?? found.find((one) => !looks(one.action)) ?? found[0];
  return [...new Set([...(leading ? [leading.action] : []), ...found.map((one) => one.action)])];
}

/** "book" and "order" are verbs where they open a clause and something follows that is not the end of a noun. */
function standsAsVerb(token: Token, clause: string, opened: number): boolean {
  // 请假3天 asks for leave, 请假余额 is a noun.
  if (hasHan(token.text)) return !hasHan(clause.slice(token.end, token.end + 1));
  return token.start <= opened + 1 && DETERMINER.test(clause.slice(token.end));
}

function openedAt(clause: string): number {
  let at = clause.length - clause.trimStart().length;
  for (let turn = 0; turn < 4; turn++) {
    const opener = OPENER.exec(clause.slice(at))?.[0];
    if (opener === undefined || opener === '') return at;
    at += opener.length;
  }
  return at;
}
