export { accept, refuseWhilePaused, type AcceptDeps, type Accepted, type Caller, type RunRequest } from './accept.js';
export { advance, isShown, type AdvanceDeps, type Taken } from './advance.js';
export { audienceRefusal, type AudienceReason } from './audience.js';
export { principalOf, type Principal } from './principal.js';
export { sessionOf, type Session } from './session.js';
export { Worker, type Trade, type WorkerDeps, type WorkerOptions } from './worker.js';
export * as executor from './executor/index.js';
export type { ExecutorCaller, ExecutorDeps, HandedOver } from './executor/index.js';
