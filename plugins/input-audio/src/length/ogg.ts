import { fourAt, lettersAt } from './bytes.js';
import { flacRate } from './flac.js';

interface Stream {
  readonly hertz: number;
  /** Samples at the start that are not played. */
  readonly skip: number;
  last: number;
}

/** Ogg with Opus, Vorbis, Speex or FLAC: the last sample of each stream; streams one after another add up. */
export function oggSeconds(view: DataView): number | undefined {
  const streams = new Map<number, Stream>();
  const done: Stream[] = [];
  for (let at = 0; at + 27 <= view.byteLength && fourAt(view, at) === 'OggS';) {
    const segments = view.getUint8(at + 26);
    const body = at + 27 + segments;
    if (body > view.byteLength) break;
    const serial = view.getUint32(at + 14, true);
    if ((view.getUint8(at + 5) & 2) !== 0) {
      const begun = begunAt(view, body);
      if (!begun) return undefined;
      const before = streams.get(serial);
      if (before) done.push(before);
      streams.set(serial, begun);
    }
    const stream = streams.get(serial);
    const place = granuleAt(view, at + 6);
    if (stream && place > stream.last) stream.last = place;
    at = body;
    for (let n = 0; n < segments; n++) at += view.getUint8(body - segments + n);
  }
  const seconds = [...done, ...streams.values()].reduce((sum, { last, skip, hertz }) => sum + Math.max(0, last - skip) / hertz, 0);
  return seconds > 0 ? seconds : undefined;
}

/** -1 is a page on which no packet ends. */
function granuleAt(view: DataView, at: number): number {
  const place = view.getBigInt64(at, true);
  return place < 0n ? 0 : Number(place);
}

/** What the first packet of a stream says; undefined for one whose samples have no known rate. */
function begunAt(view: DataView, at: number): Stream | undefined {
  const head = lettersAt(view, at, 8);
  if (head === 'OpusHead' && at + 12 <= view.byteLength) return { hertz: 48_000, skip: view.getUint16(at + 10, true), last: 0 };
  const hertz = rateAt(view, at, head);
  return hertz === undefined || hertz === 0 ? undefined : { hertz, skip: 0, last: 0 };
}

function rateAt(view: DataView, at: number, head: string): number | undefined {
  if (head.startsWith('\x01vorbis') && at + 16 <= view.byteLength) return view.getUint32(at + 12, true);
  if (head === 'Speex   ' && at + 40 <= view.byteLength) return view.getUint32(at + 36, true);
  if (head.startsWith('\x7fFLAC') && at + 31 <= view.byteLength) return flacRate(view, at + 17);
  return undefined;
}
