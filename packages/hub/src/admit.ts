import { createHash, randomBytes } from 'node:crypto';
import { bodyFailure } from '@bailing/contract';
import type { Door } from '@bailing/engine';
import type { Approval, ApprovalStore, JobStore } from '@bailing/engine/ports';
import type { DeskApi, DecisionCredential, HubApi } from '@bailing/http';
import { BailingError, type Clock, type Records } from '@bailing/plugin-api';

export interface AdmitDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly jobs: Pick<JobStore, 'get'>;
  readonly authenticate: HubApi['authenticate'];
  readonly secretOf: (owner: string) => string;
  /** Remembers used signatures. */
  readonly records: Records;
  readonly clock: Clock;
}

type Admitted = Awaited<ReturnType<DeskApi['admit']>>;

/** Twice the window in which a signature is good (WIRE §9.4). */
const REMEMBER_MS = 600_000;
/** Verifies like a real secret and fits nothing. */
const NOBODY = randomBytes(32).toString('hex');

/**
 * Authenticates a decision before anybody learns whether its approval exists (WIRE §9.3): the server token, the token of the client that owns the
 * job, or a signature by that client's secret. A signature covers time and body but no address, so it is good for one approval only.
 */
export async function admit(id: string, credential: DecisionCredential, deps: AdmitDeps): Promise<Admitted> {
  const number = /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : null;
  const { token, timestamp, signature } = credential;
  if (token === null && (timestamp !== null || signature !== null)) return bySignature(number, credential, deps);
  const caller = await deps.authenticate(token);
  if (!caller) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  if (caller.kind === 'executor') throw new BailingError('BAILING_REQUEST_FORBIDDEN');
  const found = await ownedBy(number, deps);
  const mine = found && (caller.kind === 'admin' || found.owner === caller.appId);
  if (!mine) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  const auth: Door['auth'] = caller.kind === 'admin' ? 'admin-token' : `client:${caller.appId}`;
  return { approval: found.approval, door: { auth, console: false } };
}

async function ownedBy(id: number | null, deps: AdmitDeps): Promise<{ readonly approval: Approval; readonly owner: string } | null> {
  const approval = id === null ? null : await deps.approvals.get(id);
  const job = approval && (await deps.jobs.get(approval.job));
  return approval && job ? { approval, owner: job.owner } : null;
}

/** An approval that is not there is refused after the same work, with the same words, as a wrong signature. */
async function bySignature(id: number | null, credential: DecisionCredential, deps: AdmitDeps): Promise<Admitted> {
  const found = await ownedBy(id, deps);
  const secret = (found && deps.secretOf(found.owner === 'admin' ? '' : found.owner)) ?? '';
  const { timestamp, signature, body } = credential;
  const failure = bodyFailure(secret === '' ? NOBODY : secret, timestamp ?? '', body, signature ?? '', deps.clock.now());
  if (!found || secret === '' || failure !== null) throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  if (!(await firstUse(found.approval.id, `${timestamp ?? ''}.${signature ?? ''}`, deps)))
    throw new BailingError('BAILING_REQUEST_UNAUTHORIZED');
  return { approval: found.approval, door: { auth: 'signed-business', console: false } };
}

/** The same signature again is fine on the same approval, where it is idempotent, and refused on every other. */
async function firstUse(approval: number, used: string, { records }: AdmitDeps): Promise<boolean> {
  const key = createHash('sha256').update(used).digest('hex');
  const put = await records.put(key, String(approval), { ifRev: 0, ttlMs: REMEMBER_MS });
  return put !== 'moved' || (await records.get(key))?.value === String(approval);
}
