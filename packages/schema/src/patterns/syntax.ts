/** Answers whether one code point belongs to an atom of a pattern. */
export type Matcher = (codePoint: number) => boolean;

/** A pattern as a tree. Greedy and lazy are the same here: only whether it matches is ever asked. */
export type Node =
  | { readonly is: 'one'; readonly matches: Matcher }
  | { readonly is: 'seq'; readonly of: readonly Node[] }
  | { readonly is: 'alt'; readonly of: readonly Node[] }
  | { readonly is: 'repeat'; readonly of: Node; readonly min: number; readonly max: number }
  | { readonly is: 'edge'; readonly at: Edge }
  | { readonly is: 'look'; readonly ahead: boolean; readonly not: boolean; readonly of: Node };

export type Edge = 'start' | 'end' | 'word' | 'not-word';

/** A pattern that is not accepted; `message` is a sentence for people. */
export class PatternRefused extends Error {}

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** A matcher from one native atom (`[a-z]`, `\d`, `\p{L}`): a single code point at a time, so it can not backtrack. */
export function nativeAtom(source: string): Matcher {
  const native = compileAtom(source);
  const ascii = new Uint8Array(128);
  return (codePoint) => {
    const known = codePoint < 128 ? ascii[codePoint] : UNKNOWN;
    if (known !== UNKNOWN) return known === YES;
    const matches = native.test(String.fromCodePoint(codePoint));
    if (codePoint < 128) ascii[codePoint] = matches ? YES : NO;
    return matches;
  };
}

/** The Unicode grammar first; `[\w-.]` and its like are only legal in the older one. */
function compileAtom(source: string): RegExp {
  const olderMayRead = source.startsWith('[') && !/\\(?:[pP]|u\{)/.test(source);
  for (const flags of olderMayRead ? ['u', ''] : ['u']) {
    try {
      return new RegExp(`^(?:${source})$`, flags);
    } catch {
      continue;
    }
  }
  throw new PatternRefused('A character class or an escape in the pattern is not valid.');
}
