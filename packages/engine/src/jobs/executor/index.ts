export { claim, type ClaimRequest, type HandedOver } from './claim.js';
export { executorKey, LEASE_MS, mayServe, type ExecutorCaller, type ExecutorDeps } from './deps.js';
export { Presence, type Seen } from './presence.js';
export { SeatedJobs } from './seated-jobs.js';
export { heartbeat, report, type Reported, type ResultReport } from './result.js';
export { invokeTool, toolDefs } from './tools.js';
export { approvedFirst } from './first.js';
