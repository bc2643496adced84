import type { Clock, Log } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Revision } from '../catalog/index.js';
import { Duty } from '../duty.js';
import type { Approval, ApprovalStore, DutyStore, Line } from '../ports/index.js';
import { staleness, voidLine } from './decide.js';

export interface SweepDeps {
  readonly approvals: ApprovalStore;
  readonly duties: DutyStore;
  /** The current revision of every provider; another map once one of them changed. */
  readonly revisions: () => ReadonlyMap<string, Revision>;
  readonly clock: Clock;
  readonly log: Log;
  readonly observe: (line: Line) => void;
}

/** Approvals that end in one commit. */
const BATCH = 100;
const PAGE = 200;

/**
 * Ends what nobody decided in time, and what froze a call that is not today's any more. By stored time, in bounded batches, by one replica at a
 * time; a restart changes nothing about it.
 */
export class ApprovalSweeper extends Duty {
  /** What the last look for stale questions saw. */
  private seen: ReadonlyMap<string, Revision> | undefined;

  constructor(
    private readonly deps: SweepDeps,
    everyMs = 1_000,
  ) {
    super({ ...deps, name: 'approvals', everyMs, holdMs: 6_000, failed: 'approvals could not be swept' });
  }

  /** One pass; answers how many ended. */
  async pass(): Promise<{ readonly expired: number; readonly voided: number }> {
    return { expired: await this.expireDue(), voided: await this.voidStale() };
  }

  private async expireDue(): Promise<number> {
    const { approvals, clock } = this.deps;
    let expired = 0;
    for (let more = true; more && !this.stopping.aborted;) {
      const due = await approvals.due(clock.now(), BATCH);
      const moved = await approvals.expire(due.map((approval) => ending(approval, expiredLine(approval, clock.now()))));
      expired += moved;
      more = due.length === BATCH && moved > 0;
    }
    return expired;
  }

  /** Looks through the open questions once per change of any provider's tools. */
  private async voidStale(): Promise<number> {
    const { approvals, clock } = this.deps;
    const revisions = this.deps.revisions();
    if (revisions === this.seen) return 0;
    let voided = 0;
    for (let after = 0, more = true; more && !this.stopping.aborted;) {
      const page = await approvals.openAfter(after, PAGE);
      for (const approval of page) {
        const reason = staleness(approval, (provider) => revisions.get(provider));
        if (reason === null) continue;
        voided += await approvals.voidOpen([ending(approval, voidLine(approval, reason, clock.now()))], reason);
      }
      after = page.at(-1)?.id ?? after;
      more = page.length === PAGE;
    }
    this.seen = revisions;
    return voided;
  }
}

function ending(approval: Approval, written: Line) {
  return { id: approval.id, job: approval.job, line: written };
}

function expiredLine({ id, job, requestId, tool, scope, status, expiresAt }: Approval, now: number): Line {
  const detail = { approval_id: id, tool, scope, was: status, expires_at: new Date(expiresAt ?? now).toISOString() };
  return line('tool_approval_expired', { job, requestId }, now, detail);
}
