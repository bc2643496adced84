import { fourAt } from './bytes.js';

const PCM: ReadonlySet<number> = new Set([1, 3]);

/** RIFF WAVE: the bytes of `data` by the rate of `fmt `. A recorder that streams leaves the size open (0 or all ones); then it is what is there. */
export function wavSeconds(view: DataView): number | undefined {
  let rate = 0;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const [name, said] = [fourAt(view, at), view.getUint32(at + 4, true)];
    const left = view.byteLength - at - 8;
    if (name === 'fmt ' && left >= 16) rate = byteRate(view, at + 8);
    if (name === 'data') {
      const size = said === 0 || said > left ? left : said;
      return rate > 0 ? size / rate : undefined;
    }
    at += 8 + said + (said % 2);
  }
  return undefined;
}

/** Of plain samples by their form, because players go by it; of anything packed as it says itself. */
function byteRate(view: DataView, at: number): number {
  const [format, channels, rate] = [view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
  const bits = view.getUint16(at + 14, true);
  return PCM.has(format) ? (rate * channels * bits) / 8 : view.getUint32(at + 8, true);
}
