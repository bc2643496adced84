export { assemble, type Turn } from './assemble.js';
export { catalogueSummary, firstSentence } from './exposure.js';
export { resumes, think } from './loop.js';
export type { LoopDeps, LoopEnd, LoopFacts, LoopInput } from './loop-words.js';
export { protocolMarker } from './protocol.js';
