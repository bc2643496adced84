import { alertLine, authzRecord, authzTarget, line, ofProvider, type AuthzTarget, type RefreshDeps } from '@bailing/engine';
import type { AuthzRecord } from '@bailing/engine/ports';
import { sendAuthzProbe } from '@bailing/outbound';
import type { Clock, Http } from '@bailing/plugin-api';
import type { OpenProvider } from './providers.js';

export interface AuthzDeps {
  readonly http: Http;
  readonly clock: Clock;
  readonly refresh: Pick<RefreshDeps, 'catalogue' | 'revisions' | 'jobs'>;
}

/** Asks, judges and writes down (WIRE §4.5). Suspect evidence is alerted. Never blocks anything: what the business does is an outcome. */
export async function probeAuthorisation(open: OpenProvider, deps: AuthzDeps, signal: AbortSignal): Promise<AuthzRecord> {
  const { name } = open.row;
  const record = await observed(open, deps, signal);
  const now = deps.clock.now();
  const about = { provider: name, ...record };
  await deps.refresh.revisions.noteAuthz(name, record, line('authorize_probe', ofProvider(name), now, about));
  if (record.status === 'suspect')
    await deps.refresh.jobs.note([
      alertLine(name, `authz_probe_${name}`, `${name} may not check who a call is for. ${record.reason ?? ''}`.trim(), now),
    ]);
  return record;
}

async function observed(open: OpenProvider, deps: AuthzDeps, signal: AbortSignal): Promise<AuthzRecord> {
  const at = new Date(deps.clock.now()).toISOString();
  const revision = deps.refresh.catalogue.current(open.row.name);
  const target = open.resource.enabled && revision ? authzTarget(revision) : null;
  if (!target) return { status: 'skipped', reason: skippedWhy(open, revision !== undefined), at };
  return authzRecord(target, await ask(open, target, deps, signal), at);
}

function skippedWhy({ resource }: OpenProvider, hasDocument: boolean): string {
  if (!resource.enabled) return 'The provider is disabled.';
  if (!hasDocument) return 'There is no readable document.';
  return 'The document declares no probe and has no read without required arguments.';
}

function ask({ row }: OpenProvider, target: AuthzTarget, { http, clock }: AuthzDeps, signal: AbortSignal) {
  const { method, path, prefix, scope } = target;
  const provider = { name: row.name, baseUrl: row.base_url, secret: row.secret, timeoutMs: row.timeout_ms };
  return sendAuthzProbe({ provider, method, path, scope, ...(prefix !== undefined && { prefix }) }, { http, clock }, signal);
}
