import { fourAt } from './bytes.js';

/** Plain samples and those of telephones: so many bits each, whatever a head says of bytes a second. */
const PLAIN: ReadonlySet<number> = new Set([1, 3, 6, 7]);
const EXTENSIBLE = 0xfffe;
const CHUNK_NAME = /^[\x20-\x7e]{4}$/;

/**
 * RIFF WAVE: the bytes of every `data` by the slowest rate of a `fmt `. A recorder that streams leaves the size open (0 or all ones); then it is what is
 * there. What stands behind the samples and is no chunk counts as samples, because readers differ about where those end.
 */
export function wavSeconds(view: DataView): number | undefined {
  let rate = Infinity;
  let samples = 0;
  for (let at = 12; at < view.byteLength;) {
    const left = view.byteLength - at - 8;
    const name = fourAt(view, at);
    const said = left >= 0 ? view.getUint32(at + 4, true) : 0;
    const isChunk = left >= 0 && CHUNK_NAME.test(name) && (said <= left || name === 'data');
    if (!isChunk) {
      // Before the samples it is a head that cannot be read.
      if (samples > 0) samples += left + 8;
      break;
    }
    if (name === 'fmt ' && said >= 16) rate = Math.min(rate, byteRate(view, at + 8, said));
    const size = name === 'data' && (said === 0 || said > left) ? left : said;
    if (name === 'data') samples += size;
    at += 8 + size + (size % 2);
  }
  return samples > 0 && rate > 0 && rate < Infinity ? samples / rate : undefined;
}

/** Of plain samples by their form, because players go by it; of anything packed as it says itself, where packing made it smaller. 0: cannot be told. */
function byteRate(view: DataView, at: number, size: number): number {
  const [said, channels, hertz] = [view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
  const bits = view.getUint16(at + 14, true);
  const format = said === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : said;
  if (PLAIN.has(format)) return (hertz * channels * bits) / 8;
  const packed = view.getUint32(at + 8, true);
  return packed <= hertz * channels * 2 ? packed : 0;
}
