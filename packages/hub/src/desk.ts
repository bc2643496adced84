import { decide, line, rerunJob, settleUnknown, type DecideDeps, type Dispatcher, type SettleDeps } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { AdminCaller, DeskApi } from '@bailing/http';
import { admit, type AdmitDeps } from './admit.js';

export interface DeskDeps {
  readonly store: Store;
  readonly admit: AdmitDeps;
  readonly decide: DecideDeps;
  readonly settle: SettleDeps;
  readonly dispatcher: Dispatcher;
}

/** The use cases of the desk behind the HTTP service. */
export function desk(deps: DeskDeps): DeskApi {
  const { approvals, reconcile, outbox, jobs } = deps.store;
  return {
    admit: (id, credential) => admit(id, credential, deps.admit),
    decide: (approval, verdict, door) => decide(approval, verdict, door, deps.decide),
    approvals: (filter, limit) => approvals.list(filter, limit),
    approval: (id) => approvals.get(id),
    rerun: async (id, by) => {
      const job = await jobs.get(id);
      return job ? rerunJob(job, by.name, 'manual', deps.decide) : 'unknown';
    },
    unresolved: (after, limit) => reconcile.list(after, limit),
    unresolvedRow: (id) => reconcile.get(id),
    settle: (row, word) => settleUnknown(row, word, deps.settle),
    deadLetters: (all, limit, before) => outbox.dead(all, limit, before),
    deadLetter: (id) => outbox.get(id),
    resend: (id, by) => resend(id, by, deps),
    resolve: async (id, by) => {
      const row = await outbox.get(id);
      const of = { job: row?.job ?? '-', requestId: row?.requestId ?? 'outbox' };
      return outbox.resolve(id, line('dlq_resolved', of, deps.decide.clock.now(), { outbox_id: id, by: by.name }));
    },
  };
}

async function resend(id: number, by: AdminCaller, deps: DeskDeps): Promise<{ readonly ok: boolean; readonly error?: string } | null> {
  const ended = await deps.dispatcher.resend(id);
  if (!ended) return null;
  const row = await deps.store.outbox.get(id);
  const of = { job: row?.job ?? '-', requestId: row?.requestId ?? 'outbox' };
  const ok = ended.is === 'sent' || ended.is === 'moot';
  const error = ended.is === 'sent' ? undefined : ended.is === 'moot' ? ended.reason : ended.error;
  const detail = { outbox_id: id, by: by.name, ...(error !== undefined && { error: error.slice(0, 300) }) };
  await deps.store.jobs.note([line(ok ? 'dlq_resend_ok' : 'dlq_resend_failed', of, deps.decide.clock.now(), detail)]);
  return ok || error === undefined ? { ok } : { ok, error };
}
