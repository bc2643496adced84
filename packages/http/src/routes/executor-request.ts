import type { executor } from '@bailing/engine';
import { BailingError } from '@bailing/plugin-api';

type Members = Readonly<Record<string, unknown>>;

const ID_CHARS = 128;
const TARGETS_MAX = 100;
const WAIT_DEFAULT_MS = 25_000;
const WAIT_MAX_MS = 55_000;
const JOB_ID = /^[0-9a-f-]{36}$/;

/** `POST /executor/claim` (WIRE §3.1): `wait_ms` is clamped, everything else is checked. @throws BAILING_REQUEST_MALFORMED */
export function readClaim(body: unknown): executor.ClaimRequest {
  const members = objectOf(body);
  return { executor_id: readExecutorId(members), targets: targetsOf(members), wait_ms: waitOf(members) };
}

/** `POST /executor/heartbeat` (WIRE §3.5). @throws BAILING_REQUEST_MALFORMED */
export function readHeartbeat(body: unknown): string {
  return readExecutorId(objectOf(body));
}

function readExecutorId(members: Members): string {
  const id = members['executor_id'];
  if (id === undefined || id === null || id === '') return 'unknown';
  if (typeof id !== 'string' || id.length > ID_CHARS)
    throw malformed('executor_id', `executor_id must be a string of at most ${ID_CHARS} characters.`);
  return id;
}

function targetsOf(members: Members): readonly string[] {
  const targets = members['targets'] ?? [];
  const fits =
    Array.isArray(targets) && targets.length <= TARGETS_MAX && targets.every((one) => typeof one === 'string' && one.length <= ID_CHARS);
  if (!fits) throw malformed('targets', `targets must be a list of at most ${TARGETS_MAX} names.`);
  return [...new Set(targets as readonly string[])];
}

function waitOf(members: Members): number {
  const wait = members['wait_ms'] ?? WAIT_DEFAULT_MS;
  if (typeof wait !== 'number') throw malformed('wait_ms', 'wait_ms must be a number of milliseconds.');
  return Math.min(Math.max(Math.trunc(wait), 0), WAIT_MAX_MS);
}

/** `POST /executor/result` (WIRE §3.6): a success is `ok` not false and no `error`. @throws BAILING_REQUEST_MALFORMED, BAILING_REQUEST_NOT_FOUND */
export function readReport(body: unknown): executor.ResultReport {
  const members = objectOf(body);
  const { job_id: jobId, output, usage, error, claim_token: claimToken } = members;
  if (typeof jobId !== 'string' || jobId === '') throw malformed('job_id', 'job_id must be the id of the job.');
  if (!JOB_ID.test(jobId)) throw new BailingError('BAILING_REQUEST_NOT_FOUND');
  if (claimToken !== undefined && claimToken !== null && typeof claimToken !== 'string')
    throw malformed('claim_token', 'claim_token must be a string.');
  return {
    job_id: jobId,
    ok: members['ok'] !== false && !error,
    output,
    ...(usage === undefined ? {} : { usage }),
    ...(error ? { error: errorText(error) } : {}),
    ...(typeof claimToken === 'string' && claimToken !== '' ? { claim_token: claimToken } : {}),
  };
}

/** Whole: it is cut when the secrets are out of it, so that none is cut in two. */
function errorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function objectOf(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members;
  throw malformed('body', 'The body must be a JSON object.');
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
