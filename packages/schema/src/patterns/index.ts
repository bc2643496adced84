import { parsePattern } from './parse.js';
import { compileProgram, type Step } from './program.js';
import { matchesAnywhere, type Meter } from './run.js';
import { PatternRefused } from './syntax.js';

export type { Meter } from './run.js';

const MAX_PATTERN_LENGTH = 2_000;

/** A compiled pattern, in the shape ajv asks of a regular-expression engine. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles a `pattern` of a schema for a machine whose work is bounded by pattern size × text length: whoever writes the
 * schema or the value, no check can run away. Semantics are those of `new RegExp(pattern, 'u').test(text)`, without
 * references back to groups.
 */
export function compilePattern(
  pattern: string,
  meter: Meter,
): { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly says: string } {
  if (pattern.length > MAX_PATTERN_LENGTH) return { ok: false, says: `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.` };
  let program: readonly Step[];
  try {
    program = compileProgram(parsePattern(pattern));
  } catch (error) {
    if (error instanceof PatternRefused) return { ok: false, says: error.message };
    throw error;
  }
  return { ok: true, pattern: { test: (text) => matchesAnywhere(program, text, meter), toString: () => `/${pattern}/u` } };
}
