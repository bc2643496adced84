import type { JobRow, Open } from '../ports/index.js';

/** An in-flight row is waited for this much longer than its send-by time before it counts as orphaned. */
const ORPHAN_SLACK_MS = 1_000;

/** The oldest row whose outcome nobody will bring any more; undefined while all are in flight in a process that may still be alive. */
export function orphaned(open: readonly Open[], now: number): Open | undefined {
  return open.find((row) => row.state !== 'dispatching' || row.sendBy <= orphanedBefore(now));
}

/** A `dispatching` row that had to be sent by this time is orphaned now. */
export function orphanedBefore(now: number): number {
  return now - ORPHAN_SLACK_MS;
}

/** When the last in-flight row is either settled or orphaned. */
export function dueAfter(open: readonly Open[]): number {
  return Math.max(...open.map((row) => row.sendBy)) + ORPHAN_SLACK_MS;
}

/** Only where a write may have been on its way before: a job that was cancelled and had none has ended. */
export function mayBeCancelled({ job, recovered }: { readonly job: Pick<JobRow, 'callsUsed'>; readonly recovered: boolean }): boolean {
  return recovered || job.callsUsed > 0;
}
