import { setImmediate } from 'node:timers/promises';

const STEP = 262_144;

/** Large bytes piece by piece: whatever else the hub has to do comes in between. */
export async function* inSteps(bytes: Uint8Array): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += STEP) {
    if (at > 0) await setImmediate();
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(STEP, bytes.byteLength - at));
  }
}
