export { exportLedger, type ExportLine } from './ledger/export.js';
export { exportFindings, type OpenExport } from './ledger/from-export.js';
export { type LedgerReport, ledgerFindings, verifyLedger } from './ledger/verify-ledger.js';
export type { LedgerFinding, LedgerSummary } from './ledger/finding.js';
export { columnLimits } from './migrations/index.js';
export { openStore, type StoreOptions } from './open-store.js';
export { failpoints } from './units/failpoints.js';
