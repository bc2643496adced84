export * from './approvals/index.js';
export * from './audit/index.js';
export * from './calls/index.js';
export * from './catalog/index.js';
export * from './jobs/index.js';
export { assemble, protocolMarker, think, type LoopEnd } from './brain/index.js';
export { createWakeups } from './wakeups.js';
export * from './outbox/index.js';
export * from './reconcile/index.js';
