import { BailingError } from '@bailing/plugin-api';
import type { Line, Ms, ReconcileStore, Settled, Settlement, Ticket, Unresolved } from '@bailing/engine/ports';
import { dueForProbe, unresolvedAfter, unresolvedById, unresolvedOfJob, type UnresolvedRecord } from '../statements/reconcile.js';
import { mint, redeem } from '../ticket.js';
import { openOf } from '../units/looked.js';
import { endProbe, noteUnresolved, postpone, takeProbe } from '../units/probe.js';
import { settleUnresolved } from '../units/settle-unresolved.js';
import { type House, read } from './house.js';

const PAGE_MAX = 500;

export class SqlReconcileStore implements ReconcileStore {
  constructor(private readonly house: House) {}

  async list(after: number, limit: number): Promise<readonly Unresolved[]> {
    return (await read(this.house, unresolvedAfter, [after, page(limit)])).map(unresolvedOf);
  }

  async get(id: number): Promise<Unresolved | null> {
    const [row] = await read(this.house, unresolvedById, [id]);
    return row ? unresolvedOf(row) : null;
  }

  async ofJob(job: string): Promise<readonly Unresolved[]> {
    return (await read(this.house, unresolvedOfJob, [job])).map(unresolvedOf);
  }

  settle(settlement: Settlement): Promise<Settled> {
    return this.house.lanes.submit(settleUnresolved(settlement));
  }

  note(id: number, line: Line): Promise<boolean> {
    return this.house.lanes.submit(noteUnresolved(id, line));
  }

  async dueForProbe(now: Ms, limit: number): Promise<readonly Unresolved[]> {
    return (await read(this.house, dueForProbe, [now, now, page(limit)])).map(unresolvedOf);
  }

  postpone(row: Unresolved, until: Ms): Promise<void> {
    return this.house.lanes.submit(postpone(row, until));
  }

  async beginProbe(row: Unresolved, nextAt: Ms | null, timeoutMs: Ms, line: Line): Promise<Ticket | null> {
    const signAt = await this.house.lanes.submit(takeProbe(row, nextAt, line));
    if (signAt === null) return null;
    return mint({ job: row.key.job, tool: `probe:${row.key.tool}`, streak: 0, tick: 0 }, signAt, timeoutMs);
  }

  async endProbe(ticket: Ticket, row: Unresolved, evidence: string, line: Line): Promise<void> {
    if (redeem(ticket).row) throw new BailingError('BAILING_STORE_TICKET_REFUSED', { detail: 'A write is not settled as a probe.' });
    await this.house.lanes.submit(endProbe(row, evidence, line));
  }
}

function page(limit: number): number {
  return Math.max(1, Math.min(Math.trunc(limit), PAGE_MAX));
}

function unresolvedOf(row: UnresolvedRecord): Unresolved {
  const { id, attempt, provider, args, evidence, probes } = row;
  return {
    ...openOf(row, row.job_id),
    ...{ id, attempt, provider, args, evidence, probes },
    requestId: row.request_id ?? '',
    digest: row.request_digest,
    attemptedAt: row.attempted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
