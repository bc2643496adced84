import { createSchemaCheck } from '@bailing/schema';

/** What the schema room makes of a pattern: the text to use, or undefined where it cannot be checked. */
export type PatternCheck = (pattern: string) => string | undefined;

/** Remembers its answers: documents repeat their patterns. */
export function patternCheck(): PatternCheck {
  const room = createSchemaCheck({ cacheSize: 1 });
  const known = new Map<string, string | undefined>();
  const accepts = (pattern: string): boolean => room.tryCompile({ pattern }).ok;
  return (pattern) => {
    if (!known.has(pattern)) known.set(pattern, [pattern, plainEscapes(pattern)].find(accepts));
    return known.get(pattern);
  };
}

/**
 * Removes backslashes before punctuation that has no meaning (`\-`, `\_`, `\@`). Other dialects allow them; JSON Schema's
 * Unicode expressions do not. What the pattern matches stays the same.
 */
export function plainEscapes(pattern: string): string {
  let out = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const unit = pattern[i] ?? '';
    if (unit === '\\') {
      const next = pattern[++i] ?? '';
      const needed = /[A-Za-z0-9\s^$\\.*+?()[\]{}|/]/.test(next) || next === '' || (inClass && next === '-');
      out += needed ? unit + next : next;
      continue;
    }
    if (unit === '[') inClass = true;
    if (unit === ']') inClass = false;
    out += unit;
  }
  return out;
}
