import { setImmediate } from 'node:timers/promises';

/** Bytes of one step; divides into whole groups of base64. */
const STEP = 196_608;

/** Large bytes piece by piece: whatever else the hub has to do comes in between. */
export async function* inSteps(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += STEP) {
    if (at > 0) await setImmediate();
    yield bytes.subarray(at, at + STEP);
  }
}
