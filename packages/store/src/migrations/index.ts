import {
  jobs,
  jobsExecutor,
  jobsLease,
  jobsNewest,
  jobsOwner,
  jobsPrincipal,
  jobsQueue,
  jobsRequest,
  jobsRoute,
  jobsThread,
  threads,
} from './m0001-jobs.js';
import { jobTexts } from './m0005-job-texts.js';
import { toolExecutions, toolExecutionsCall, toolExecutionsOpen, toolExecutionsUnresolved } from './m0006-tool-executions.js';
import { toolFailures } from './m0009-tool-failures.js';
import {
  toolApprovals,
  toolApprovalsCall,
  toolApprovalsDecision,
  toolApprovalsExpiry,
  toolApprovalsStatus,
} from './m0010-tool-approvals.js';
import { audit, auditChain, auditJob, auditWriters } from './m0012-audit.js';
import { rateBuckets, rateSpends } from './m0016-rates.js';
import { pluginRecords, pluginRecordsExpiry, pluginRecordsTag, stops, toolProviders } from './m0018-house.js';
import { duties, outbox, outboxDue, settlements } from './m0030-outbox.js';
import { specFrozen, specRevisions, specRevisionsKept, specSets, specState } from './m0040-specs.js';
import { jobRounds } from './m0050-job-rounds.js';
import { threadSummaries } from './m0051-thread-summaries.js';
import { jobsFair } from './m0052-jobs-fair.js';
import { objectRevision, objects, objectsRev } from './m0060-objects.js';
import { jobSaid } from './m0063-job-said.js';
import { jobsThreadNewest } from './m0064-lookups.js';
import { jobProfile } from './m0065-job-profile.js';
import { auditCuts, auditCutsTold, outboxJob } from './m0070-retention.js';
import { outbound } from './m0075-outbound.js';
import type { Migration } from './migration.js';

export { columnLimits } from './migration.js';
export type { Migration } from './migration.js';

/** In the order they are applied. Append only: a released step is never edited, moved or removed. */
export const migrations: readonly Migration[] = Object.freeze([
  jobs,
  jobsRequest,
  jobsQueue,
  jobsLease,
  jobTexts,
  toolExecutions,
  toolExecutionsCall,
  toolExecutionsOpen,
  toolFailures,
  toolApprovals,
  toolApprovalsCall,
  audit,
  auditJob,
  auditChain,
  auditWriters,
  rateSpends,
  rateBuckets,
  stops,
  toolProviders,
  pluginRecords,
  pluginRecordsTag,
  pluginRecordsExpiry,
  jobsNewest,
  jobsOwner,
  jobsPrincipal,
  jobsExecutor,
  toolApprovalsDecision,
  toolApprovalsExpiry,
  toolApprovalsStatus,
  outbox,
  toolExecutionsUnresolved,
  outboxDue,
  settlements,
  duties,
  specRevisions,
  specRevisionsKept,
  specState,
  specFrozen,
  specSets,
  jobsThread,
  threads,
  jobsRoute,
  jobRounds,
  threadSummaries,
  jobsFair,
  objects,
  objectsRev,
  objectRevision,
  jobSaid,
  jobsThreadNewest,
  jobProfile,
  outboxJob,
  auditCuts,
  auditCutsTold,
  outbound,
]);
