export { callApproved } from './approved.js';
export { call } from './call.js';
export type { CallDeps, Named } from './deps.js';
export { join, judge, type Joined, type Judged } from './gates.js';
export { frozenBy } from './refusal.js';
export { refuse } from './refuse.js';
export { executionOf, reconcile, type CallResult, type Governance, type ToolExecution } from './result.js';
export { sendMessage } from './send.js';
export type { Proposal, Seat } from './seat.js';
