/** Bytes of one answer, all events together. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Bytes of one server-sent event. */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;
/** Bytes of an error answer that are read at all. */
export const MAX_ERROR_BYTES = 64 * 1024;
/** Calls in one answer. */
export const MAX_CALLS = 128;
/** UTF-16 units of the arguments of one call. */
export const MAX_ARGUMENTS = 1024 * 1024;
/** UTF-16 units of what a provider wants back with one call. */
export const MAX_ECHO = 256 * 1024;
/** UTF-16 units of what a provider said, inside an error sentence. */
export const MAX_SAID = 300;
/** Milliseconds a stream may stay silent after its `finish_reason`: only a usage chunk and `[DONE]` can still come. */
export const TAIL_MS = 5_000;
