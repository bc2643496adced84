/** Reads a pattern one code point at a time. */
export class Cursor {
  #at = 0;

  constructor(readonly text: string) {}

  peek(): string | undefined {
    const codePoint = this.text.codePointAt(this.#at);
    return codePoint === undefined ? undefined : String.fromCodePoint(codePoint);
  }

  /** The next code point; an empty string at the end. */
  next(): string {
    const char = this.peek() ?? '';
    this.#at += char.length;
    return char;
  }

  take(text: string): boolean {
    if (!this.text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** `anchored` starts with `^`; it sees a bounded piece of what is left. */
  takeMatch(anchored: RegExp): RegExpExecArray | undefined {
    const found = anchored.exec(this.text.slice(this.#at, this.#at + 200));
    if (!found) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
