/** Elements that hold what is looked for. Their sizes may be open, as browsers write them, so everything is read in one line. */
const HOLDERS: ReadonlySet<number> = new Set([0x18538067, 0x1549a966, 0x1f43b675, 0xa0]);
const SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const CLUSTER_TIME = 0xe7;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
/** Of the last block: what Opus puts into one packet at most. */
const LAST_SECONDS = 0.12;
/** Five hours of the shortest blocks. */
const MOST_ELEMENTS = 1_000_000;

/** WebM and Matroska: the longer of what the head says and when the last block begins. */
export function webmSeconds(view: DataView): number | undefined {
  const found = { scale: 1_000_000, said: 0, cluster: 0, last: -1 };
  let elements = 0;
  for (let at = 0; at < view.byteLength;) {
    if (++elements > MOST_ELEMENTS) return undefined;
    const id = numberAt(view, at, true);
    const size = id && numberAt(view, at + id.bytes, false);
    if (!id || !size) break;
    const inside = at + id.bytes + size.bytes;
    if (HOLDERS.has(id.value)) {
      at = inside;
      continue;
    }
    const end = inside + size.value;
    if (end > view.byteLength && id.value !== SIMPLE_BLOCK && id.value !== BLOCK) break;
    if (id.value === SCALE) found.scale = unsigned(view, inside, size.value);
    if (id.value === DURATION) found.said = float(view, inside, size.value);
    if (id.value === CLUSTER_TIME) found.cluster = unsigned(view, inside, size.value);
    if (id.value === BLOCK || id.value === SIMPLE_BLOCK) found.last = Math.max(found.last, found.cluster + offsetAt(view, inside));
    at = end;
  }
  const tick = found.scale / 1e9;
  const seconds = Math.max(found.said * tick, found.last < 0 ? 0 : found.last * tick + LAST_SECONDS);
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}

/** A number of variable length: its bytes are told by the zeros before its first one, which belongs to an id and not to a size. */
function numberAt(view: DataView, at: number, keepMark: boolean): { readonly value: number; readonly bytes: number } | undefined {
  if (at >= view.byteLength) return undefined;
  const first = view.getUint8(at);
  const bytes = Math.clz32(first) - 23;
  if (first === 0 || bytes > 8 || at + bytes > view.byteLength) return undefined;
  let value = keepMark ? first : first & (0xff >> bytes);
  for (let n = 1; n < bytes; n++) value = value * 256 + view.getUint8(at + n);
  return { value, bytes };
}

function unsigned(view: DataView, at: number, size: number): number {
  let value = 0;
  for (let n = 0; n < Math.min(size, 8); n++) value = value * 256 + view.getUint8(at + n);
  return value;
}

function float(view: DataView, at: number, size: number): number {
  if (size === 4) return view.getFloat32(at);
  return size === 8 ? view.getFloat64(at) : 0;
}

/** When a block begins, from its cluster: behind the number of its track. */
function offsetAt(view: DataView, at: number): number {
  const track = numberAt(view, at, false);
  return track && at + track.bytes + 2 <= view.byteLength ? view.getInt16(at + track.bytes) : 0;
}
