import { executor, type ExecutorDeps } from '@bailing/engine';
import type { ExecutorApi } from '@bailing/http';

/** The executor's door behind the HTTP service. */
export function executorApi(deps: ExecutorDeps): ExecutorApi {
  return {
    claim: (caller, request, signal) => executor.claim(caller, request, signal, deps),
    heartbeat: (caller, executorId) => executor.heartbeat(caller, executorId, deps),
    report: (caller, report) => executor.report(caller, report, deps),
    toolDefs: (job, token, names) => executor.toolDefs(job, token, names, deps),
    invokeTool: (job, token, proposal) => executor.invokeTool(job, token, proposal, deps),
  };
}
