import { viewOf } from './bytes.js';
import { flacSeconds } from './flac.js';
import { adtsSeconds, amrSeconds, mpegSeconds } from './frames.js';
import { mp4Seconds } from './mp4.js';
import { oggSeconds } from './ogg.js';
import { wavSeconds } from './wav.js';
import { webmSeconds } from './webm.js';

const READERS: Readonly<Record<string, (view: DataView) => number | undefined>> = {
  'audio/wav': wavSeconds,
  'audio/mpeg': mpegSeconds,
  'audio/aac': adtsSeconds,
  'audio/amr': amrSeconds,
  'audio/ogg': oggSeconds,
  'audio/flac': flacSeconds,
  'audio/mp4': mp4Seconds,
  'video/mp4': mp4Seconds,
  'audio/webm': webmSeconds,
};

/**
 * How long a recording plays, in seconds, from its container; undefined where that cannot be told. Frames, pages, fragments and blocks are counted
 * where a head is missing or open, as in recordings of browsers: libraries answer nothing there, or a hundredth of a second. Every step goes forward, so a
 * hostile recording costs one pass over its bytes. A head that says less than what stands behind it is not believed.
 */
export function secondsOf(mediaType: string, bytes: Uint8Array): number | undefined {
  try {
    return READERS[mediaType]?.(viewOf(bytes));
  } catch (error) {
    // A part that says it is larger than what is there.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
