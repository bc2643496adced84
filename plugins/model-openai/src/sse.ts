import { MAX_EVENT_BYTES } from './limits.js';
import { broken } from './failure.js';

/** One server-sent event: its name (empty where none was given) and its `data` lines, in order. */
export interface SseEvent {
  readonly name: string;
  readonly data: readonly string[];
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Reads server-sent events from bytes that arrive in any pieces: a cut may fall anywhere, also inside a character or between CR and LF.
 * Lines are put together as bytes and decoded whole, so no piece is ever decoded alone. Invalid UTF-8 is refused: a replaced character
 * inside the arguments of a call would change what is executed.
 */
export class SseReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #lineBytes = 0;
  #eventBytes = 0;
  #afterCr = false;
  #first = true;
  #name = '';
  #data: string[] = [];

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== LF && byte !== CR) {
        this.#afterCr = false;
        continue;
      }
      const secondHalf = byte === LF && this.#afterCr;
      this.#afterCr = byte === CR;
      if (!secondHalf) this.#line(bytes.subarray(from, at), events);
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
    return events;
  }

  /** What is left when the bytes end: servers omit the last empty line. A line cut in the middle does not parse later on and is harmless. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    try {
      if (this.#lineBytes > 0) this.#line(new Uint8Array(0), events);
    } catch {
      // The stream ended inside a character: that line never arrived.
      this.#pieces = [];
    }
    this.#dispatch(events);
    return events;
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lineBytes += piece.length;
    if (this.#lineBytes + this.#eventBytes > MAX_EVENT_BYTES) throw broken('one event of the stream is too large');
    this.#pieces.push(piece.slice());
  }

  #line(tail: Uint8Array, events: SseEvent[]): void {
    this.#keep(tail);
    const line = this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#eventBytes += this.#lineBytes;
    this.#lineBytes = 0;
    const start = this.#first && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
    this.#first = false;
    if (line.length === start) this.#dispatch(events);
    else this.#field(line.subarray(start));
  }

  #field(line: Uint8Array): void {
    const colon = line.indexOf(COLON);
    if (colon === 0) return;
    const name = this.#text(colon < 0 ? line : line.subarray(0, colon));
    const from = colon < 0 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1;
    if (name === 'data') this.#data.push(this.#text(line.subarray(from)));
    else if (name === 'event') this.#name = this.#text(line.subarray(from));
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) events.push({ name: this.#name, data: this.#data });
    this.#data = [];
    this.#name = '';
    this.#eventBytes = 0;
  }

  #text(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw broken('the stream is not valid UTF-8');
    }
  }
}
