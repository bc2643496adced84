import type { Line } from '@bailing/engine/ports';
import { errorCatalogue, type Invoker, type Outcome } from '@bailing/plugin-api';
import { Counter, Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';

/** Ledger events that are one call's verdict, and the word for it. */
const VERDICTS = {
  tool_call: 'dispatched',
  tool_approval_pending: 'held',
  tool_blocked: 'refused',
  tool_call_deduped: 'replayed',
  tool_reconciliation_required: 'unknown',
} as const;

const CODE = /"code":"(BAILING_[A-Z_]+)"/;
const STATUS = /"status":"(done|error|rejected|queued)"/;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What happens, counted in memory where the ledger lines pass by. Every label is one of a fixed few words; nothing of a call, a job or a person
 * becomes one.
 */
export class Counters {
  private readonly calls;
  private readonly refusals;
  private readonly results;
  private readonly ended;
  private readonly gone;
  private readonly duration;
  private readonly timed = new WeakMap<Invoker, Invoker>();

  constructor(registry: Registry<OpenMetricsContentType>) {
    const registers = [registry];
    this.calls = new Counter({ name: 'bailing_calls_total', help: 'Proposed calls by verdict.', labelNames: ['verdict'], registers });
    this.refusals = new Counter({ name: 'bailing_call_refusals_total', help: 'Refused calls by code.', labelNames: ['code'], registers });
    this.results = new Counter({ name: 'bailing_call_results_total', help: 'Results of calls.', labelNames: ['result'], registers });
    this.ended = new Counter({ name: 'bailing_jobs_ended_total', help: 'Jobs that ended, by status.', labelNames: ['status'], registers });
    const help = 'Old rows that this process removed.';
    this.gone = new Counter({ name: 'bailing_retention_removed_total', help, labelNames: ['what'], registers });
    this.duration = new Histogram({
      name: 'bailing_call_duration_seconds',
      help: 'From signing to the whole answer of a business.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    });
    for (const verdict of Object.values(VERDICTS)) this.calls.inc({ verdict }, 0);
    for (const what of ['journal', 'failures', 'outbox', 'ledger']) this.gone.inc({ what }, 0);
    for (const result of ['ok', 'failed']) this.results.inc({ result }, 0);
  }

  /** Of every line that observers are told. */
  count({ event, detail, severity }: Line): void {
    const verdict = VERDICTS[event as keyof typeof VERDICTS] as string | undefined;
    if (verdict !== undefined) {
      this.calls.inc({ verdict });
      if (verdict === 'refused') this.refusals.inc({ code: codeOf(detail) });
    } else if (event === 'tool_result') this.results.inc({ result: severity === 'error' ? 'failed' : 'ok' });
    else if (event === 'finished') this.ended.inc({ status: STATUS.exec(detail)?.[1] ?? 'other' });
  }

  removed(what: string, rows: number): void {
    this.gone.inc({ what }, rows);
  }

  /** The same invoker, with its sending timed. */
  timing(invoker: Invoker): Invoker {
    const known = this.timed.get(invoker);
    if (known) return known;
    const made: Invoker = {
      freeze: (tool, args, context) => invoker.freeze(tool, args, context),
      send: async (frozen, ticket, context, signal) => {
        const started = performance.now();
        let outcome: Outcome['is'] = 'unknown';
        try {
          const answer = await invoker.send(frozen, ticket, context, signal);
          outcome = answer.is;
          return answer;
        } finally {
          this.duration.observe({ outcome }, (performance.now() - started) / 1_000);
        }
      },
    };
    this.timed.set(invoker, made);
    return made;
  }
}

/** A code of the catalogue; a plugin's own is told as `other`. */
function codeOf(detail: string): string {
  const code = CODE.exec(detail)?.[1] ?? 'other';
  return Object.hasOwn(errorCatalogue, code) ? code : 'other';
}
