import type { ModelDelta } from '@bailing/plugin-api';
import { pieces } from './body.js';
import { ChunkReader } from './chunks.js';
import type { Scrub } from './failure.js';
import { broken } from './failure.js';
import { TAIL_MS } from './limits.js';
import { isJson, list, parsed } from './shape.js';
import type { SseEvent } from './sse.js';
import { SseReader } from './sse.js';
import type { Watch } from './watch.js';

const OPEN_BRACE = 0x7b;
const LESS_THAN = 0x3c;
/** White space and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The deltas of a 2xx answer as its pieces arrive. */
export async function* readAnswer(response: Response, watch: Watch, scrub: Scrub): AsyncGenerator<ModelDelta, void, undefined> {
  const reader = new AnswerReader(scrub);
  for await (const piece of untilFinished(pieces(response, watch), reader, watch)) {
    yield* reader.push(piece);
    if (reader.done) break;
    if (reader.finished) watch.touch(TAIL_MS);
  }
  yield* reader.end();
}

/** A connection lost after the `finish_reason` costs the usage figures, not the answer. */
async function* untilFinished(
  bytes: AsyncIterable<Uint8Array>,
  reader: AnswerReader,
  watch: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    if (!reader.finished || watch.stoppedByCaller) throw error;
  }
}

/**
 * Reads whatever an answer turns out to be: an event stream, one JSON completion (also in answer to `stream:true`), or something that is
 * neither. Decided by the first byte, because content types of gateways are not to be relied on. Throws ModelFailure.
 */
export class AnswerReader {
  readonly #chunks: ChunkReader;
  readonly #sse = new SseReader();
  readonly #json: Uint8Array[] = [];
  #kind: 'unknown' | 'sse' | 'json' = 'unknown';
  #done = false;

  constructor(scrub: Scrub) {
    this.#chunks = new ChunkReader(scrub);
  }

  /** `[DONE]` came: nothing that follows counts. */
  get done(): boolean {
    return this.#done;
  }

  get finished(): boolean {
    return this.#chunks.finished;
  }

  push(piece: Uint8Array): ModelDelta[] {
    if (this.#kind === 'unknown') this.#kind = kindOf(piece);
    if (this.#kind !== 'json') return this.#events(this.#sse.push(piece), false);
    this.#json.push(piece);
    return [];
  }

  /** The bytes are over. */
  end(): ModelDelta[] {
    const rest = this.#kind === 'json' ? this.#whole() : this.#done ? [] : this.#events(this.#sse.end(), true);
    return [...rest, ...this.#chunks.end(this.#done || this.#kind === 'json')];
  }

  /** `last`: the stream is over, so what does not parse was cut off and is dropped. */
  #events(events: readonly SseEvent[], last: boolean): ModelDelta[] {
    const deltas: ModelDelta[] = [];
    for (const text of events.flatMap((event) => payloads(event, last))) {
      if (this.#done) break;
      if (text.trim() === '[DONE]') {
        this.#done = true;
        break;
      }
      const chunk = parsed(text);
      if (chunk !== undefined) deltas.push(...this.#chunks.read(chunk));
      else if (!last) throw broken('an event of the stream is not JSON');
    }
    return deltas;
  }

  #whole(): ModelDelta[] {
    const completion = parsed(textOf(Buffer.concat(this.#json)));
    if (!isJson(completion)) throw broken('it is not one JSON object');
    const deltas = this.#chunks.read(completion);
    if (list(completion.choices).length === 0) throw broken('it is JSON without choices');
    return deltas;
  }
}

/** An event is one JSON text; servers that forget the empty lines between events put several into one. */
function payloads(event: SseEvent, last: boolean): readonly string[] {
  const lines = event.data.filter((line) => line.trim() !== '');
  if (lines.length < 2) return lines;
  const joined = lines.join('\n');
  if (parsed(joined) !== undefined) return [joined];
  return last || lines.every((line) => line.trim() === '[DONE]' || parsed(line) !== undefined) ? lines : [joined];
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken('it is not valid UTF-8');
  }
}

function kindOf(piece: Uint8Array): 'unknown' | 'sse' | 'json' {
  const first = piece.find((byte) => !BLANK.has(byte));
  if (first === LESS_THAN) throw broken('it is a web page, not a completion; check base_url');
  return first === undefined ? 'unknown' : first === OPEN_BRACE ? 'json' : 'sse';
}
