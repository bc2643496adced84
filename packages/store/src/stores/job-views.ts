import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditRow, ExecutorCount, JobStatus, JobUsage, Ms, Severity, Stage, TargetCount, Thread } from '@bailing/engine/ports';
import { linesOfHub, type LineRow } from '../statements/audit-reads.js';
import { countByExecutor, countByTarget, madeBehind, usedBetween } from '../statements/jobs-read.js';
import { threadsBefore } from '../statements/threads.js';
import { type House, read } from './house.js';
import { UsageSum } from './usage-sum.js';

/** Rows of the ledger answered at once, at most. */
export const AUDIT_PAGE_MAX = 10_000;
export const JOB_PAGE_MAX = 1_000;
/** Jobs whose usage is summed up at once. */
const USAGE_STEP = 2_000;

/** What operators read about jobs as a whole; nothing of it is on the way of a call. */
export abstract class JobViews {
  constructor(protected readonly house: House) {}

  async usage(since: Ms, limit: number): Promise<readonly JobUsage[]> {
    const used = new UsageSum();
    // In steps: a read of SQLite keeps the whole process, and a year has many jobs.
    for (let after = since, more = true; more; await nextTurn()) {
      const [edge] = await read(this.house, madeBehind, [after, USAGE_STEP]);
      const by = edge?.at ?? Number.MAX_SAFE_INTEGER;
      used.add(await read(this.house, usedBetween, [after, by]));
      [after, more] = [by, edge !== undefined];
    }
    return used.dearest(bounded(limit, JOB_PAGE_MAX));
  }

  async byTarget(): Promise<readonly TargetCount[]> {
    const found = await read(this.house, countByTarget, []);
    return found.map(({ target, status, n, oldest }) => {
      return { target, status: status as JobStatus, count: Number(n), oldestAt: oldest };
    });
  }

  async byExecutor(): Promise<readonly ExecutorCount[]> {
    const found = await read(this.house, countByExecutor, []);
    return found.map(({ executor, n, oldest }) => ({ executor, count: Number(n), oldestAt: oldest }));
  }

  async threads(before: number, limit: number): Promise<readonly Thread[]> {
    const found = await read(this.house, threadsBefore, [before, bounded(limit, JOB_PAGE_MAX)]);
    return found.map(({ id, route, scope, session_id: sessionId, last_seq: jobs, created_at: createdAt }) => {
      return { id, route, scope, sessionId, jobs, createdAt };
    });
  }

  async hubAudit(beforeSeq: number, limit: number): Promise<readonly AuditRow[]> {
    return (await read(this.house, linesOfHub, [beforeSeq, bounded(limit, AUDIT_PAGE_MAX)])).map(auditRow);
  }
}

export function bounded(asked: number, max: number): number {
  return Math.max(0, Math.min(Math.trunc(asked), max));
}

export function auditRow(row: LineRow): AuditRow {
  const { id: seq, job_id: job, request_id: requestId, ts: at, event, title, summary, detail } = row;
  return { seq, job, requestId, at, event, stage: row.stage as Stage, severity: row.severity as Severity, title, summary, detail };
}
