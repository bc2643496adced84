import { DIALECTS } from './protocol.js';

/** What is held back at most before it is decided (WIRE §11.5). */
const HELD_CHARS = 96;

/**
 * Lets text through as it arrives and holds back what may be tool-protocol markup, from its `<` until it is clear what it is. Whole markup is never let
 * through, however the text was cut, and closes the guard: the answer is judged as a whole at its end.
 */
export class StreamGuard {
  private readonly code = new CodeQuotes();
  private held = '';
  private shut = false;

  /** Markup was found; nothing is let through any more. */
  get closed(): boolean {
    return this.shut;
  }

  /** The text that may be shown now. */
  push(text: string): string {
    return this.let(text, false);
  }

  /** The text that was held back, at the end of the answer. */
  end(): string {
    return this.let('', true);
  }

  private let(text: string, last: boolean): string {
    let shown = '';
    this.held += text;
    while (this.held !== '' && !this.shut) {
      const from = this.held.indexOf('<');
      const free = from === -1 ? this.held : this.held.slice(0, from);
      this.code.pass(free);
      shown += free;
      this.held = this.held.slice(free.length);
      if (this.held === '') break;
      const verdict = this.judge(last);
      if (verdict === 'wait') break;
      if (verdict === 'markup') this.shut = true;
      else shown += this.takeOne();
    }
    if (this.shut) this.held = '';
    return shown;
  }

  /** `held` starts with `<`. */
  private judge(last: boolean): 'markup' | 'prose' | 'wait' {
    const { held, code } = this;
    code.settle();
    const start = held.slice(0, HELD_CHARS * 2);
    const found = DIALECTS.filter(({ whole }) => start.search(whole) === 0);
    const full = last || held.length >= HELD_CHARS;
    if (found.some(({ evenQuoted }) => evenQuoted)) return 'markup';
    if (code.inFence) return !full && mayBeQuotedMarkup(held) ? 'wait' : 'prose';
    const quoteEnds = code.inSpan && /[`\n]/.exec(held)?.[0];
    if (quoteEnds === '`') return found.length > 0 && hidesMarkup(held) ? 'markup' : 'prose';
    if (code.inSpan && quoteEnds !== '\n' && !full) return 'wait';
    if (found.length > 0) return 'markup';
    if (full) return 'prose';
    return !held.includes('>') || DIALECTS.some(({ opening }) => opening?.test(held)) ? 'wait' : 'prose';
  }

  private takeOne(): string {
    const one = this.held.slice(0, 1);
    this.code.pass(one);
    this.held = this.held.slice(1);
    return one;
  }
}

/** A quoted piece that also holds what counts even when quoted: its quote will never be shown closed, so nothing of it may be shown. */
function hidesMarkup(held: string): boolean {
  const span = held.slice(0, held.indexOf('`'));
  return DIALECTS.some(({ whole, evenQuoted }) => evenQuoted && whole.test(span));
}

/** A tag that is not closed yet: in a fence only markup that counts even when quoted is waited for. */
function mayBeQuotedMarkup(held: string): boolean {
  return /^<(?:[|｜]{0,4}|[|｜]{1,4}\s*D?S?M?L?\s*[|｜]{0,4})$/i.test(held);
}

/** Whether text stands in a code fence or between single back quotes, told from what was let through before it; reads as `protocolMarker` does. */
class CodeQuotes {
  inFence = false;
  inSpan = false;
  /** Back quotes seen whose meaning the next character tells. */
  private run = 0;

  pass(text: string): void {
    for (const char of text) {
      if (char === '`') this.quote();
      else {
        this.settle();
        if (char === '\n') this.inSpan = false;
      }
    }
  }

  /** The next character is no back quote. */
  settle(): void {
    if (!this.inFence && this.run === 1) this.inSpan = true;
    this.run = 0;
  }

  private quote(): void {
    if (this.inSpan) {
      this.inSpan = false;
      return;
    }
    if (++this.run < 3) return;
    this.inFence = !this.inFence;
    this.run = 0;
  }
}
