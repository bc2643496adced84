import { lettersAt } from './bytes.js';

/** Between frames there may be this much that is none, in all: tags at the end, a damaged spot. */
const MOST_NOISE = 1_048_576;

/** Samples and bytes of the frame that begins here; null where none does. */
type Frame = { readonly seconds: number; readonly bytes: number } | null;

/** Recordings that are frames one after another: counted, whatever a header says about them. Undefined where there is hardly a frame in it. */
function counted(view: DataView, from: number, frameAt: (view: DataView, at: number) => Frame): number | undefined {
  let seconds = 0;
  let noise = 0;
  for (let at = from; at + 4 <= view.byteLength;) {
    const frame = frameAt(view, at);
    if (frame && frame.bytes > 0) {
      seconds += frame.seconds;
      at += frame.bytes;
      continue;
    }
    if (isTag(view, at)) break;
    if (++noise > MOST_NOISE) return undefined;
    at++;
  }
  return seconds > 0 ? seconds : undefined;
}

function isTag(view: DataView, at: number): boolean {
  const letters = view.getUint8(at) === 0x54 || view.getUint8(at) === 0x41 ? lettersAt(view, at, 8) : '';
  return letters.startsWith('TAG') || letters === 'APETAGEX';
}

/** MPEG audio, all layers, with variable rates; a tag before it is skipped. */
export function mpegSeconds(view: DataView): number | undefined {
  return counted(view, afterId3(view), mpegFrame);
}

function afterId3(view: DataView): number {
  if (view.byteLength < 10 || lettersAt(view, 0, 3) !== 'ID3') return 0;
  const part = (at: number): number => view.getUint8(at) & 0x7f;
  return 10 + ((part(6) << 21) | (part(7) << 14) | (part(8) << 7) | part(9));
}

/** kbit/s by the row of version and layer; 0 is a rate that is not told. */
const RATES = {
  11: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  12: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  13: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  21: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  22: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

function mpegFrame(view: DataView, at: number): Frame {
  const [first, second, third] = [view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2)];
  const [version, layer] = [(second >> 3) & 3, 4 - ((second >> 1) & 3)];
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || version === 1 || layer === 4) return null;
  const one = version === 3;
  const rates = RATES[one ? (`1${String(layer)}` as '11' | '12' | '13') : layer === 1 ? '21' : '22'];
  const kilobits = rates[third >> 4] ?? 0;
  const hertz = (SAMPLE_RATES[(third >> 2) & 3] ?? 0) / (one ? 1 : version === 2 ? 2 : 4);
  if (kilobits === 0 || hertz === 0) return null;
  const samples = layer === 1 ? 384 : layer === 3 && !one ? 576 : 1_152;
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  const bytes = (Math.floor((samples * kilobits * 125) / hertz / slot) + padding) * slot;
  return { seconds: samples / hertz, bytes };
}

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350] as const;

/** AAC with a header on each frame (ADTS). */
export function adtsSeconds(view: DataView): number | undefined {
  return counted(view, afterId3(view), adtsFrame);
}

function adtsFrame(view: DataView, at: number): Frame {
  if (at + 7 > view.byteLength || view.getUint8(at) !== 0xff || (view.getUint8(at + 1) & 0xf6) !== 0xf0) return null;
  const hertz = AAC_RATES[(view.getUint8(at + 2) >> 2) & 15];
  const bytes = ((view.getUint8(at + 3) & 3) << 11) | (view.getUint8(at + 4) << 3) | (view.getUint8(at + 5) >> 5);
  if (hertz === undefined || bytes < 7) return null;
  return { seconds: (1_024 * ((view.getUint8(at + 6) & 3) + 1)) / hertz, bytes };
}

/** Bytes of a speech frame behind its head, by its mode; a frame is twenty milliseconds. */
const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5, 5, 5, 5, 0, 0, 0, 0] as const;
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 5, 5, 5, 5, 0, 0] as const;

/** AMR of telephones, narrow or wide. */
export function amrSeconds(view: DataView): number | undefined {
  const wide = lettersAt(view, 0, 9) === '#!AMR-WB\n';
  if (!wide && lettersAt(view, 0, 6) !== '#!AMR\n') return undefined;
  const sizes = wide ? WIDE : NARROW;
  let frames = 0;
  for (let at = wide ? 9 : 6; at < view.byteLength; frames++) at += 1 + (sizes[(view.getUint8(at) >> 3) & 15] ?? 0);
  return frames > 0 ? frames * 0.02 : undefined;
}
