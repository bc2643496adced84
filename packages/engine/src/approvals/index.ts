export { openApproval, type Held } from './open.js';
export { approvalFacts, governanceView, withGovernance, type ApprovalFacts, type Executed } from './governance.js';
export { approvedNote } from './note.js';
export { decide, HEAD_START_MS, rerunJob, type DecideDeps, type DecisionOutcome, type Door, type Verdict } from './decide.js';
export { ApprovalSweeper, type SweepDeps } from './sweep.js';
