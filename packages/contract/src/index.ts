export * from './acc.js';
export * from './acc-conditions.js';
export * from './bytes.js';
export * from './canonical.js';
export * from './headers.js';
export * from './limits.js';
export * from './signature.js';
export { hasLoneSurrogate, readStrictJson, type StrictJson, type StrictJsonProblem } from './strict-json.js';
export * from './ticket.js';
