export { acceptDebug, type DebugAccepted, type DebugAcceptDeps, type DebugRequest } from './accept.js';
export { DEBUG_INVOKE, debugOfJob, debugShown, type DebugAsk, type DebugMetadata } from './words.js';
export { DEBUG_BEGINS_WITHIN_MS, debugBytes, debugCalls, type DebugOutcome } from './work.js';
