import { AUDIT_EVERY_MS, JOURNAL_EVERY_MS, standingOf, type Standing } from '@bailing/engine';
import type { Census, Store, StoreHealth } from '@bailing/engine/ports';
import type { Check, ToolProviderView } from '@bailing/http';
import { RETENTION_RECORDS } from './second-shift.js';

export interface DiagnosticsDeps {
  readonly store: Store;
  readonly list: () => Promise<readonly ToolProviderView[]>;
  /** Operations that declared a capability and became no tool, by provider. */
  readonly refused: (provider: string) => number;
  /** 0: the ledger is kept for ever. */
  readonly auditDays: number;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const ok = (check: string, says: string): Check => ({ check, is: 'ok', says, fix: '' });
const warn = (check: string, says: string, fix: string): Check => ({ check, is: 'warn', says, fix });
const fail = (check: string, says: string, fix: string): Check => ({ check, is: 'fail', says, fix });

/** How this hub is, line by line, each with what to do. Reads only. */
export async function diagnostics(deps: DiagnosticsDeps): Promise<readonly Check[]> {
  const health = await deps.store.health();
  const database = ofDatabase(health);
  if (health.reason === 'unreachable') return [database];
  const [census, providers, paused, standing] = await Promise.all([
    deps.store.census(),
    deps.list(),
    deps.store.stops.isSet('hub'),
    standingOf(deps.store.records(RETENTION_RECORDS)),
  ]);
  return [
    database,
    ...ofLedger(health),
    ...(paused ? [warn('pause', 'The hub is paused: it accepts no jobs.', 'Lift it: POST /admin/resume.')] : []),
    ...providers.flatMap((provider) => ofProvider(provider, deps.refused(provider.name))),
    ...ofWork(census, deps.now()),
    ...ofDesk(census, deps.now()),
    ofRetention(standing, deps.auditDays, deps.now()),
  ];
}

function ofDatabase({ dialect, database, reason, migrations }: StoreHealth): Check {
  const { pending, latest, total } = migrations;
  if (reason === 'full') return fail('database', 'The database has no room left.', 'Free space on its disk; the hub goes on by itself.');
  if (database === 'failed') return fail('database', 'The database does not answer.', 'Start it, or correct hub.database.');
  if (pending > 0) return fail('database', `${String(pending)} migrations are missing.`, 'Start the hub again; it applies them.');
  return ok('database', `${dialect}, ${String(total)} migrations, the latest ${latest}`);
}

function ofLedger({ auditFailures, lastAuditFailureAt }: StoreHealth): Check[] {
  if (auditFailures === 0) return [ok('ledger', 'every line of this process was written')];
  const when = lastAuditFailureAt === null ? '' : `, the last ${new Date(lastAuditFailureAt).toISOString()}`;
  return [fail('ledger', `${String(auditFailures)} lines could not be written${when}.`, 'See the log of the hub for the reason.')];
}

function ofProvider(view: ToolProviderView, refused: number): Check[] {
  const check = `provider ${view.name}`;
  if (!view.enabled) return [warn(check, 'It is disabled.', `Set enabled: true, or take it out of the routes.`)];
  if (!view.has_spec)
    return [
      fail(
        check,
        'No document of it was ever read, so it has no tools.',
        `Try bailing refresh ${view.name}; it says what stands in the way.`,
      ),
    ];
  const found: Check[] = [];
  const { spec_access_policy: policy, spec_access_probe: probe, authz_probe: authz } = view;
  if (policy === 'signed_required' && probe && probe.status !== 'protected')
    found.push(warn(check, `Its document was last seen ${probe.status}.`, 'Let the business ask for the signature of its document.'));
  if (authz?.status === 'suspect')
    found.push(warn(check, `It answered for nobody. ${authz.reason ?? ''}`.trim(), 'Let the business check who each call is for.'));
  if (view.frozen.length > 0)
    found.push(
      warn(check, `${String(view.frozen.length)} tools are frozen.`, `Read what changed and accept it: bailing refresh ${view.name}.`),
    );
  if (refused > 0)
    found.push(warn(check, `${String(refused)} operations of its document became no tools.`, 'bailing lint says why and what to write.'));
  return [ok(check, `${String(view.tools)} tools, document ${view.spec_refreshed_at ?? 'of the configuration'}`), ...found];
}

function ofWork({ queued, held, unresolved }: Census, now: number): Check[] {
  const oldest = queued.oldestAt === null ? 0 : now - queued.oldestAt;
  const open = unresolved.reduce((sum, { count }) => sum + count, 0);
  return [
    oldest > 600_000
      ? warn(
          'queue',
          `${String(queued.count)} jobs wait, the oldest for ${ageOf(oldest)}.`,
          'Start a worker of their target, or more hubs.',
        )
      : ok('queue', `${String(queued.count)} jobs wait, ${String(held.count)} are worked on`),
    held.expired > 0
      ? warn(
          'leases',
          `${String(held.expired)} jobs lost their worker.`,
          'Another takes them over within moments; if none does, start one.',
        )
      : ok('leases', 'every job that is worked on has a worker'),
    open > 0
      ? fail(
          'unresolved',
          `${String(open)} writes have no known outcome.`,
          'See bailing unresolved list, compare with the business, settle them.',
        )
      : ok('unresolved', 'every write has an outcome'),
  ];
}

function ofDesk({ approvals, outbox }: Census, now: number): Check[] {
  const waits = approvals.oldestAt === null ? 0 : now - approvals.oldestAt;
  const pending = `${String(approvals.pending)} calls wait for a decision`;
  return [
    waits > DAY_MS
      ? warn('approvals', `${pending}, the oldest for ${ageOf(waits)}.`, 'See bailing approvals list; find out whether anybody is told.')
      : ok('approvals', pending),
    outbox.dead > 0
      ? warn('outbox', `${String(outbox.dead)} messages were given up.`, 'See bailing outbox list; resend or resolve them.')
      : ok('outbox', `${String(outbox.waiting)} messages wait to be sent`),
  ];
}

/** Rounds that a hub is allowed to miss before somebody is told. */
const MISSED_ROUNDS = 4;

function ofRetention({ journal, ledger }: Standing, auditDays: number, now: number): Check {
  if (ledger && auditDays > 0 && ledger.broken.length > 0)
    return fail(
      'retention',
      `${String(ledger.broken.length)} chains of the ledger hold old lines that do not verify; they are not removed.`,
      'See bailing audit verify, and keep what it shows.',
    );
  const late = (last: { readonly at: number } | undefined, every: number) => last !== undefined && now - last.at > every * MISSED_ROUNDS;
  if (late(journal, JOURNAL_EVERY_MS) || (auditDays > 0 && late(ledger, AUDIT_EVERY_MS)))
    return warn('retention', 'Old rows have not been removed for a long time.', 'See the log of the hubs for the reason.');
  const kept = auditDays === 0 ? 'for ever' : `${String(auditDays)} days`;
  const last = journal ? `, last looked through ${new Date(journal.at).toISOString()}` : '';
  return ok('retention', `the ledger is kept ${kept}, completed journal rows 3 days${last}`);
}

function ageOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${String(minutes)} minutes` : `${String(Math.round(minutes / 60))} hours`;
}
