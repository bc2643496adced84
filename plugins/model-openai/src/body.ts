import { broken } from './failure.js';
import { MAX_ANSWER_BYTES } from './limits.js';
import type { Watch } from './watch.js';

/** The pieces of a body as they come, timed and counted. Stops reading, and the connection, when the watch trips or the reader leaves. */
export async function* pieces(response: Response, watch: Watch, maxBytes = MAX_ANSWER_BYTES): AsyncGenerator<Uint8Array, void, undefined> {
  if (!response.body) return;
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  watch.signal.addEventListener('abort', cancel, { once: true });
  let total = 0;
  try {
    watch.touch();
    for (;;) {
      const { done, value } = await reader.read();
      const failure = watch.failure();
      if (failure) throw failure;
      if (done) return;
      total += value.byteLength;
      if (total > maxBytes) throw broken(`it is larger than ${String(maxBytes)} bytes`);
      watch.touch();
      yield value;
    }
  } finally {
    watch.signal.removeEventListener('abort', cancel);
    cancel();
  }
}
