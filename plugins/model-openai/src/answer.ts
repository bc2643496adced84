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
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Reads a 2xx answer, whatever it turns out to be: an event stream, one JSON completion (also in answer to `stream:true`), or something
 * that is neither. Decided by the first byte, because content types of gateways are not to be relied on.
 */
export async function* readAnswer(response: Response, watch: Watch, scrub: Scrub): AsyncGenerator<ModelDelta, void, undefined> {
  const reader = new ChunkReader(scrub);
  const sse = new SseReader();
  const json: Uint8Array[] = [];
  let kind: 'unknown' | 'sse' | 'json' = 'unknown';
  let done = false;
  for await (const piece of untilFinished(pieces(response, watch), reader, watch)) {
    if (kind === 'unknown') kind = kindOf(piece);
    if (kind === 'json') json.push(piece);
    else done = yield* readEvents(sse.push(piece), reader);
    if (done) break;
    if (reader.finished) watch.touch(TAIL_MS);
  }
  if (kind === 'json') yield* readWhole(Buffer.concat(json), reader);
  else if (!done) done = yield* readEvents(sse.end(), reader, true);
  yield* reader.end(done || kind === 'json');
}

/** A connection lost after the `finish_reason` costs the usage figures, not the answer. */
async function* untilFinished(
  bytes: AsyncIterable<Uint8Array>,
  reader: ChunkReader,
  watch: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    if (!reader.finished || watch.stoppedByCaller) throw error;
  }
}

/** Answers whether `[DONE]` came. `last`: the stream is over, so what does not parse was cut off and is dropped. */
function* readEvents(events: readonly SseEvent[], reader: ChunkReader, last = false): Generator<ModelDelta, boolean, undefined> {
  for (const event of events) {
    for (const text of payloads(event, last)) {
      if (text.trim() === '[DONE]') return true;
      const chunk = parsed(text);
      if (chunk === undefined && last) continue;
      if (chunk === undefined) throw broken('an event of the stream is not JSON');
      yield* reader.read(chunk);
    }
  }
  return false;
}

/** An event is one JSON text; servers that forget the empty lines between events put several into one. */
function payloads(event: SseEvent, last: boolean): readonly string[] {
  const lines = event.data.filter((line) => line.trim() !== '');
  if (lines.length < 2) return lines;
  const joined = lines.join('\n');
  if (parsed(joined) !== undefined) return [joined];
  return last || lines.every((line) => line.trim() === '[DONE]' || parsed(line) !== undefined) ? lines : [joined];
}

function* readWhole(bytes: Uint8Array, reader: ChunkReader): Generator<ModelDelta, void, undefined> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken('it is not valid UTF-8');
  }
  const completion = parsed(text);
  if (!isJson(completion)) throw broken('it is not one JSON object');
  const deltas = reader.read(completion);
  if (list(completion.choices).length === 0) throw broken('it is JSON without choices');
  yield* deltas;
}

function kindOf(piece: Uint8Array): 'unknown' | 'sse' | 'json' {
  const first = piece.find((byte) => !BLANK.has(byte));
  if (first === LESS_THAN) throw broken('it is a web page, not a completion; check base_url');
  return first === undefined ? 'unknown' : first === OPEN_BRACE ? 'json' : 'sse';
}
