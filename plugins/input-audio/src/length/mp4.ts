import { fourAt } from './bytes.js';

/** Boxes that hold boxes; everything else is read or left out. */
const HOLDERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf']);
/** A recording has hundreds; more is made to keep somebody busy. */
const MOST_BOXES = 100_000;
const ALL_ONES = 0xffff_ffff;
const MOST_TRACKS = 64;
/** Bytes a second of the best sound (24 bits, 192 kHz, two channels), and of the best film of a telephone. */
const MOST_SOUND = 1_152_000;
const MOST_FILM = 16_000_000;
const SLACK_BYTES = 65_536;

interface Track {
  /** Of a second. */
  ticks: number;
  length: number;
  /** Of the samples of fragments, where they name none. */
  sample: number;
  fragments: number;
  /** By the table of times: samples and their ticks. */
  timed: number;
  table: number;
  /** By the table of sizes. */
  sized: number;
}

interface Found {
  readonly all: Set<Track>;
  readonly tracks: Map<number, Track>;
  track: Track;
  /** Ticks of one sample in the fragment at hand. */
  sample: number;
  whole: number;
  /** Of `mdat`, in all. */
  media: number;
  film: boolean;
}

/**
 * MP4 and its relatives: the longest of what the film, its tracks and their tables of samples say. Recorders that stream write fragments instead, whose
 * samples are counted. Nothing can be told where there are samples without a time, or more bytes than so short a recording can have.
 */
export function mp4Seconds(view: DataView): number | undefined {
  const found: Found = { all: new Set(), tracks: new Map(), track: aTrack(), sample: 0, whole: 0, media: 0, film: false };
  let boxes = 0;
  for (let at = 0; at + 8 <= view.byteLength;) {
    if (++boxes > MOST_BOXES) return undefined;
    const [name, small] = [fourAt(view, at + 4), view.getUint32(at)];
    const large = small === 1 && at + 16 <= view.byteLength;
    const head = large ? 16 : 8;
    const size = large ? Number(view.getBigUint64(at + 8)) : small === 0 ? view.byteLength - at : small;
    if (size < head) return undefined;
    const inside = at + head;
    const end = Math.min(at + size, view.byteLength);
    READ[name]?.(new DataView(view.buffer, view.byteOffset + inside, end - inside), found);
    at = HOLDERS.has(name) ? inside : at + size;
  }
  if (found.all.size > MOST_TRACKS) return undefined;
  const tracks = [...found.all];
  if (tracks.some(({ sized, timed }) => sized > timed)) return undefined;
  const lengths = tracks.map(({ ticks, length, fragments, table }) => (ticks > 0 ? Math.max(length, table + fragments) / ticks : 0));
  const seconds = Math.max(found.whole, ...lengths);
  if (found.media > seconds * (found.film ? MOST_FILM : MOST_SOUND) + SLACK_BYTES) return undefined;
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}

function aTrack(): Track {
  return { ticks: 0, length: 0, sample: 0, fragments: 0, timed: 0, table: 0, sized: 0 };
}

function trackOf(id: number, found: Found): Track {
  const known = found.tracks.get(id);
  if (known) return known;
  const track = added(found);
  found.tracks.set(id, track);
  return track;
}

/** Each `trak` counts, also one that has the number of another. */
function added({ all }: Found): Track {
  const track = aTrack();
  if (all.size <= MOST_TRACKS) all.add(track);
  return track;
}

type Read = (box: DataView, found: Found) => void;

const READ: Readonly<Record<string, Read>> = {
  mvhd: (box, found) => {
    const { ticks, length } = timeOf(box);
    if (ticks > 0) found.whole = Math.max(found.whole, length / ticks);
  },
  tkhd: (box, found) => {
    const at = isLong(box) ? 20 : 12;
    if (box.byteLength >= at + 4) found.tracks.set(box.getUint32(at), found.track);
  },
  trak: (_box, found) => void (found.track = added(found)),
  mdhd: (box, found) => void Object.assign(found.track, timeOf(box)),
  hdlr: (box, found) => void (found.film ||= fourAt(box, 8) === 'vide'),
  stts: (box, { track }) => {
    // Entries of a number of samples and the ticks of each.
    const entries = box.byteLength >= 8 ? Math.min(box.getUint32(4), Math.floor((box.byteLength - 8) / 8)) : 0;
    for (let n = 0; n < entries; n++) {
      const count = box.getUint32(8 + n * 8);
      track.timed += count;
      track.table += count * box.getUint32(12 + n * 8);
    }
  },
  stsz: (box, { track }) => void (track.sized += box.byteLength >= 12 ? box.getUint32(8) : 0),
  mdat: (box, found) => void (found.media += box.byteLength),
  trex: (box, found) => {
    if (box.byteLength >= 16) trackOf(box.getUint32(4), found).sample = box.getUint32(12);
  },
  tfhd: (box, found) => {
    if (box.byteLength < 8) return;
    const flags = box.getUint32(0);
    found.track = trackOf(box.getUint32(4), found);
    const at = 8 + ((flags & 1) !== 0 ? 8 : 0) + ((flags & 2) !== 0 ? 4 : 0);
    found.sample = (flags & 8) !== 0 && box.byteLength >= at + 4 ? box.getUint32(at) : found.track.sample;
  },
  trun: (box, found) => void (found.track.fragments += runOf(box, found.sample)),
};

function isLong(box: DataView): boolean {
  return box.byteLength > 0 && box.getUint8(0) === 1;
}

/** Of `mvhd` and `mdhd`; all ones is a length that is not known. */
function timeOf(box: DataView): Pick<Track, 'ticks' | 'length'> {
  if (isLong(box)) {
    if (box.byteLength < 32) return { ticks: 0, length: 0 };
    const length = box.getBigUint64(24);
    return { ticks: box.getUint32(20), length: length === 0xffff_ffff_ffff_ffffn ? 0 : Number(length) };
  }
  if (box.byteLength < 20) return { ticks: 0, length: 0 };
  const length = box.getUint32(16);
  return { ticks: box.getUint32(12), length: length === ALL_ONES ? 0 : length };
}

/** Ticks of the samples of one run: each its own, or all alike. */
function runOf(box: DataView, alike: number): number {
  if (box.byteLength < 8) return 0;
  const [flags, count] = [box.getUint32(0), box.getUint32(4)];
  if ((flags & 0x100) === 0) return count * alike;
  const step = 4 * [0x100, 0x200, 0x400, 0x800].filter((bit) => (flags & bit) !== 0).length;
  let ticks = 0;
  let at = 8 + ((flags & 1) !== 0 ? 4 : 0) + ((flags & 4) !== 0 ? 4 : 0);
  for (let n = 0; n < count && at + 4 <= box.byteLength; n++, at += step) ticks += box.getUint32(at);
  return ticks;
}
