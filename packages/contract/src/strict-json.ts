/**
 * One lossless reading of JSON text (TRAPS 10): duplicate keys and whole numbers beyond ±(2^53−1), however written, are refused instead of being
 * merged or rounded, so that what is validated, hashed, journalled and sent is what was written. Everything else is plain JSON.
 */
export type StrictJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: StrictJsonProblem; readonly at: number };
export type StrictJsonProblem = 'not_json' | 'duplicate_key' | 'number_too_large' | 'lone_surrogate' | 'too_deep';

/** Levels of nesting that any side reads (SIGNING 42, 45): what the hub takes in, a business must be able to take in as well. */
const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** The place after the string that begins at `start`, or -1. By hand: on a string of many megabytes a pattern runs out of stack. */
function afterString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return -1;
}

function stringOf(literal: string): string | null {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++;
  return at;
}

class Refusal extends Error {
  constructor(
    readonly code: StrictJsonProblem,
    readonly at: number,
  ) {
    super(code);
  }
}

/** True where the text holds half of a surrogate pair, which has no UTF-8 form. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

class Reader {
  private at = 0;
  /** The first loss (a repeated key, a rounded number). Reading goes on, so that text which is no JSON, too deep or no UTF-8 is called that. */
  private loss: Refusal | null = null;
  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.value(0);
    this.space();
    if (this.at !== this.text.length) throw new Refusal('not_json', this.at);
    if (this.loss) throw this.loss;
    return value;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private space(): void {
    this.at = afterSpace(this.text, this.at);
  }

  private value(depth: number): unknown {
    this.space();
    const first = this.text[this.at];
    if (depth >= MAX_DEPTH && (first === '{' || first === '[')) throw new Refusal('too_deep', this.at);
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (first === '"') return this.string();
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  private string(): string {
    const start = this.at;
    const end = afterString(this.text, start);
    const value = end < 0 ? null : stringOf(this.text.slice(start, end));
    if (value === null) throw new Refusal('not_json', start);
    this.at = end;
    if (hasLoneSurrogate(value)) throw new Refusal('lone_surrogate', start);
    return value;
  }

  private number(): number {
    const start = this.at;
    const found = this.match(NUMBER);
    if (!found) throw new Refusal('not_json', start);
    const value = Number(found[0]);
    const rounded = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
    if (rounded) this.loss ??= new Refusal('number_too_large', start);
    return value;
  }

  private array(depth: number): unknown[] {
    this.at++;
    const items: unknown[] = [];
    this.space();
    if (this.take(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      this.space();
      if (this.take(']')) return items;
      this.need(',');
    }
  }

  private object(depth: number): Record<string, unknown> {
    this.at++;
    const members: Record<string, unknown> = {};
    this.space();
    if (this.take('}')) return members;
    for (;;) {
      this.space();
      const start = this.at;
      const key = this.text[this.at] === '"' ? this.string() : this.need('"');
      if (Object.hasOwn(members, key)) this.loss ??= new Refusal('duplicate_key', start);
      this.space();
      this.need(':');
      // defineProperty: a member named __proto__ is data, not the prototype.
      Object.defineProperty(members, key, { value: this.value(depth + 1), enumerable: true, writable: true, configurable: true });
      this.space();
      if (this.take('}')) return members;
      this.need(',');
    }
  }

  private take(mark: string): boolean {
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  private need(mark: string): never | string {
    if (!this.take(mark)) throw new Refusal('not_json', this.at);
    return mark;
  }
}

/** Keys written in valid JSON text. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = afterString(text, at);
    if (text[afterSpace(text, at)] === ':') keys++;
  }
  return keys;
}

/** Keys held by a value, or NaN where a string, a number or the nesting is not what the strict reading admits. */
function keysHeld(value: unknown, depth: number): number {
  if (typeof value === 'string') return hasLoneSurrogate(value) ? NaN : 0;
  if (typeof value === 'number') return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? 0 : NaN;
  if (value === null || typeof value !== 'object') return 0;
  if (depth >= MAX_DEPTH) return NaN;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += keysHeld(item, depth + 1);
    return keys;
  }
  for (const key of Object.keys(value)) {
    keys += 1 + (hasLoneSurrogate(key) ? NaN : 0) + keysHeld((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
  return keys;
}

/** What is fine is read by the engine's own parser, several times faster; whatever is not is read again to say what and where. */
function readFast(text: string): { readonly value: unknown } | null {
  try {
    const value = JSON.parse(text) as unknown;
    return keysHeld(value, 0) === keysWritten(text) ? { value } : null;
  } catch {
    return null;
  }
}

/** The strict reader by itself: slower, and exact about the place of a problem. */
export function readSlowly(text: string): StrictJson {
  try {
    return { ok: true, value: new Reader(text).document() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, at: error.at };
    return { ok: false, code: 'not_json', at: 0 };
  }
}

/** Reads JSON text strictly; never throws. `at` is the character offset of the problem. */
export function readStrictJson(text: string): StrictJson {
  const fast = readFast(text);
  return fast ? { ok: true, value: fast.value } : readSlowly(text);
}
