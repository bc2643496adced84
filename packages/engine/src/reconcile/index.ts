export { findingOf, reconcileHint, type Finding } from './evidence.js';
export { Prober, type ProberDeps } from './prober.js';
export { settleUnknown, type SettleDeps, type SettleOutcome, type SettleWord } from './settle.js';
