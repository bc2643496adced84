import { cutUtf8, SIGNATURE_WINDOW_MS } from '@bailing/contract';
import type { Clock, Invoker, Log, Outcome, ReconcileHint, ToolDefinition } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Revision } from '../catalog/index.js';
import { Duty } from '../duty.js';
import type { DutyStore, Ticket, Unresolved } from '../ports/index.js';
import { findingOf, type Finding } from './evidence.js';
import { settleUnknown, type SettleDeps } from './settle.js';

export interface ProberDeps extends SettleDeps {
  readonly duties: DutyStore;
  readonly current: (provider: string) => Revision | undefined;
  readonly invoker: (provider: string, binding: unknown) => Invoker | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Waits between probes of one row; after the last nobody is asked any more, and a person settles it. */
const WAITS_MS = [5_000, 30_000, 120_000, 300_000, 1_800_000, 7_200_000, 43_200_000] as const;
const EVIDENCE_BYTES = 4_096;
/** Rows nobody can be asked about are looked at again this much later. */
const LATER_MS = 300_000;

/**
 * Asks the business about writes nobody knows the outcome of, where it declared how (`x-bailing-reconcile`). The hub asks, signed and with backoff,
 * never the model; what it finds is kept with the row. It settles by itself only where the provider's configuration says so, and never
 * dispatches anything again.
 */
export class Prober extends Duty {
  constructor(
    private readonly deps: ProberDeps,
    everyMs = 1_000,
  ) {
    super({ ...deps, name: 'reconcile-probe', everyMs, holdMs: 6_000, failed: 'unknown writes could not be looked into' });
  }

  /** One pass over what is due; answers how many were asked about. */
  async pass(): Promise<number> {
    let asked = 0;
    for (const row of await this.deps.reconcile.dueForProbe(this.deps.clock.now(), 20)) {
      if (this.stopping.aborted) break;
      const way = this.wayOf(row);
      if (way) {
        await this.probe(row, way);
        asked += 1;
        // Nobody can be asked now; a person may settle it at any time.
      } else await this.deps.reconcile.postpone(row, this.deps.clock.now() + LATER_MS);
    }
    return asked;
  }

  private wayOf(row: Unresolved): Way | null {
    const mode = this.deps.settings().provider(row.provider)?.reconcile ?? 'off';
    const revision = this.deps.current(row.provider);
    const hint = revision?.tools.get(row.key.tool)?.definition.reconcile;
    const lookup = hint && revision?.tools.get(hint.operation)?.definition;
    if (mode === 'off' || !hint || !lookup?.readonly) return null;
    const invoker = this.deps.invoker(row.provider, lookup.binding);
    return invoker ? { hint, lookup, invoker, settles: mode === 'settle' } : null;
  }

  private async probe(row: Unresolved, way: Way): Promise<void> {
    const { clock, reconcile } = this.deps;
    const { lookup, invoker, hint } = way;
    const context = { job: row.key.job, client: '', subject: row.subject, scope: lookup.scope };
    const frozen = invoker.freeze(lookup, { [hint.key]: row.key.idem }, context);
    const detail = { ...about(row), operation: hint.operation, probe: row.probes + 1, request_digest: frozen.digest };
    const begun = line('tool_reconcile_probe', of(row), clock.now(), detail);
    const ticket = await reconcile.beginProbe(row, this.nextAt(row), frozen.timeoutMs, begun);
    if (!ticket) return;
    this.deps.observe(begun);
    const outcome = await this.ask(way, frozen, ticket, context);
    await this.conclude(row, way, ticket, outcome);
  }

  private async ask(
    { invoker }: Way,
    frozen: Parameters<Invoker['send']>[0],
    ticket: Ticket,
    context: Parameters<Invoker['send']>[2],
  ): Promise<Outcome> {
    try {
      return await invoker.send(frozen, ticket, context, AbortSignal.timeout(frozen.timeoutMs + 1_000));
    } catch (error) {
      return { is: 'unknown', why: String(error).slice(0, 200) };
    }
  }

  private async conclude(row: Unresolved, way: Way, ticket: Ticket, outcome: Outcome): Promise<void> {
    const now = this.deps.clock.now();
    const finding: Finding = outcome.is === 'answered' ? findingOf(way.hint, outcome.answer) : 'inconclusive';
    const evidence = evidenceText(way, finding, outcome, now);
    const found = line('tool_reconcile_evidence', of(row), now, { ...about(row), operation: way.hint.operation, finding, evidence });
    await this.deps.reconcile.endProbe(ticket, row, evidence, found);
    this.deps.observe(found);
    const late = now >= row.sendBy + SIGNATURE_WINDOW_MS;
    if (!way.settles || finding === 'inconclusive' || (finding === 'not_applied' && !late)) return;
    // An applied write lets its job go on; a released one is never dispatched again by the probe: brain or operator have to ask.
    await settleUnknown(row, { verdict: finding, by: 'evidence-probe', evidence, rerun: finding === 'applied' }, this.deps);
  }

  /** When to ask again. One of the later probes falls after the moment from which "never seen" is final. */
  private nextAt(row: Unresolved): number | null {
    const wait = WAITS_MS[row.probes];
    return wait === undefined ? null : this.deps.clock.now() + wait;
  }
}

interface Way {
  readonly hint: ReconcileHint;
  readonly lookup: ToolDefinition;
  readonly invoker: Invoker;
  readonly settles: boolean;
}

function of(row: Unresolved) {
  return { job: row.key.job, requestId: row.requestId };
}

function about(row: Unresolved) {
  return { execution_id: row.id, attempt: row.attempt, tool: row.key.tool, idempotency_key: row.key.idem };
}

function evidenceText({ hint }: Way, finding: Finding, outcome: Outcome, now: number): string {
  const seen =
    outcome.is === 'answered'
      ? { status: outcome.answer.status, body: cutUtf8(outcome.answer.body, EVIDENCE_BYTES).text }
      : { outcome: outcome.is, why: outcome.why };
  return JSON.stringify({ finding, operation: hint.operation, at: new Date(now).toISOString(), ...seen });
}
