import type { Route } from '../route.js';
import { adminApprove, adminDeny } from './admin-approval-decide.js';
import { adminApproval, adminApprovals } from './admin-approvals.js';
import { adminAutoPreview } from './admin-auto-preview.js';
import { adminDeadLetters, adminResend, adminResolve } from './admin-dead-letters.js';
import { adminSignatureCheck } from './admin-signature-check.js';
import { adminDiagnostics } from './admin-diagnostics.js';
import { adminExplain } from './admin-explain.js';
import { adminPause } from './admin-pause.js';
import { adminResume } from './admin-resume.js';
import { adminRunAudit } from './admin-run-audit.js';
import { adminRunBundle } from './admin-run-bundle.js';
import { adminRunRerun } from './admin-run-rerun.js';
import { adminRunTrace } from './admin-run-trace.js';
import { adminRun } from './admin-run.js';
import { adminRuns } from './admin-runs.js';
import { adminClearStop, adminSetStop, adminStops } from './admin-stops.js';
import { adminApply, adminExport, schemaFile, schemaIndex } from './admin-config.js';
import { adminLogin, adminLogout, adminMe, adminPassword } from './admin-session.js';
import { objectRoutes } from './admin-objects.js';
import { adminAccept, adminAuthzProbe, adminDebugInvoke, adminProviderTools, adminRefresh } from './admin-tool-providers.js';
import { adminTraceLookup } from './admin-trace-lookup.js';
import { adminSettle, adminUnresolved } from './admin-unresolved.js';
import { approvalDecision } from './approval-decision.js';
import { executorClaim } from './executor-claim.js';
import { executorHeartbeat } from './executor-heartbeat.js';
import { executorResult } from './executor-result.js';
import { healthReady } from './health-ready.js';
import { health } from './health.js';
import { jobEvents } from './job-events.js';
import { jobCancel } from './job-cancel.js';
import { job } from './job.js';
import { metrics } from './metrics.js';
import { openapiYaml } from './openapi-yaml.js';
import { run } from './run.js';
import { send } from './send.js';
import { toolsDefs } from './tools-defs.js';
import { toolsInvoke } from './tools-invoke.js';
import {
  adminConfigAudit,
  adminConfigDiagnostics,
  adminCost,
  adminDispatchStatus,
  adminExecutors,
  adminSmoke,
  adminStatus,
  adminThread,
  adminThreads,
  adminVerify,
  adminVersion,
} from './admin-views.js';
import { version } from './version.js';

/** Every built-in endpoint. A fixed path stands before a parameter that would take it. */
export const routes: readonly Route[] = Object.freeze([
  ...[run, send, jobCancel, job, jobEvents],
  ...[health, healthReady, version, openapiYaml, metrics],
  ...[
    adminPause,
    adminResume,
    adminStops,
    adminSetStop,
    adminClearStop,
    adminAutoPreview,
    adminExplain,
    adminDiagnostics,
    adminSignatureCheck,
  ],
  ...[executorClaim, executorHeartbeat, executorResult, toolsDefs, toolsInvoke],
  ...[adminStatus, adminVersion, adminDispatchStatus, adminExecutors, adminCost, adminThreads, adminThread],
  ...[adminConfigAudit, adminConfigDiagnostics, adminSmoke, adminVerify],
  ...[adminRuns, adminTraceLookup, adminRun, adminRunAudit, adminRunTrace, adminRunBundle, adminRunRerun],
  ...[approvalDecision, adminApprovals, adminApproval, adminApprove, adminDeny],
  ...[adminRefresh, adminProviderTools, adminAuthzProbe, adminAccept, adminDebugInvoke],
  ...[adminLogin, adminLogout, adminMe, adminPassword],
  ...[adminApply, adminExport, schemaIndex, schemaFile],
  ...objectRoutes,
  ...[adminUnresolved, adminSettle, adminDeadLetters, adminResend, adminResolve],
]);
