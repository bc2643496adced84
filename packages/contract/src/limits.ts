/** Numbers of the contract. Bytes are UTF-8 bytes after decompression; characters are UTF-16 code units. */
export const SIGNATURE_WINDOW_S = 300;
export const SIGNATURE_WINDOW_MS = 300_000;
/** WIRE §6.4: the three independent budgets of a tool answer. */
export const RECEIVE_BUDGET_BYTES = 5_242_880;
export const MODEL_BUDGET_BYTES = 8_192;
export const AUDIT_FIELD_BYTES = 65_536;
/** What of a failed answer's text reaches a model. */
export const FAILURE_TEXT_CHARS = 2_048;
export const JSON_BODY_BYTES = 1_048_576;
export const DECISION_BODY_BYTES = 65_536;
export const REQUEST_ID_CHARS = 128;
export const INPUT_CHARS = 100_000;
export const CALLBACK_URL_CHARS = 2_048;
export const SUBJECT_CHARS = 191;
export const SCOPE_CHARS = 191;
export const TOOL_INLINE_MAX = 12;
export const DEFAULT_MAX_CALLS = 5;
export const DEFAULT_TOOL_TIMEOUT_MS = 10_000;
export const DEFAULT_PROVIDER_RATE_PER_MIN = 120;
/** WIRE §13.1: the limits of one message, and of the messages of one job. */
export const SEND_RECIPIENTS = 1_000;
export const SEND_FILES = 5;
export const SEND_FILE_NAME_CHARS = 120;
export const SEND_FILE_BYTES = 20_971_520;
export const SEND_FETCH_MS = 20_000;
export const SENDS_PER_JOB = 20;
/** Names of the hub's own tools; a business tool may not carry them. */
export const RESERVED_TOOL_NAMES: readonly string[] = Object.freeze(['send_message', 'find_tools', 'search_tools', 'see_image']);
