import type { StreamedEvent, StreamWindow } from '@bailing/plugin-api';

/** Bytes that one reader is given at a time; more only for an event that is longer by itself. */
const PIECE_BYTES = 16 * 1_024;

/** An event is encoded once, however many read it, and forgotten with it. A broker that answers copies has them encoded one by one. */
const encoded = new WeakMap<StreamedEvent, Buffer>();

/** One server-sent event. */
export function frame(event: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${String(id)}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function frameOf(job: string, streamed: StreamedEvent): Buffer {
  const known = encoded.get(streamed);
  if (known) return known;
  const { seq, at, event } = streamed;
  const { is, ...more } = event;
  const made = Buffer.from(frame(is, { job_id: job, seq, ts: at, ...more }, seq));
  encoded.set(streamed, made);
  return made;
}

/** The next piece of what waits for a reader. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Number of the last event in it. */
  readonly last: number;
  /** Whether that was all. */
  readonly all: boolean;
}

/** The first events of a window joined into one write. Null: there is none. */
export function nextPiece(job: string, { events }: StreamWindow): Piece | null {
  const frames: Buffer[] = [];
  let size = 0;
  let last = 0;
  for (const event of events) {
    const next = frameOf(job, event);
    if (frames.length > 0 && size + next.length > PIECE_BYTES) break;
    frames.push(next);
    size += next.length;
    last = event.seq;
  }
  const [only] = frames;
  if (!only) return null;
  return { bytes: frames.length === 1 ? only : Buffer.concat(frames, size), last, all: frames.length === events.length };
}
