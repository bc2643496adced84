export { assemble, type Turn } from './assemble.js';
export { catalogueSummary, firstSentence } from './exposure.js';
export { think } from './loop.js';
export type { LoopDeps, LoopEnd, LoopFacts, LoopInput } from './loop-words.js';
export { resumes } from './opening.js';
export { protocolMarker } from './protocol.js';
