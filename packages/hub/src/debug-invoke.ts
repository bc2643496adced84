import {
  acceptDebug,
  DEBUG_BEGINS_WITHIN_MS,
  debugBytes,
  DEBUG_INVOKE,
  debugOfJob,
  explainRequest,
  jobErrorOf,
  parsed,
  refuseWhilePaused,
  type CallDeps,
  type Catalogue,
  type DebugAsk,
  type DebugOutcome,
} from '@bailing/engine';
import type { JobRow, Store } from '@bailing/engine/ports';
import type { DebugInvokeView, DebugRequestView, ToolProvidersApi } from '@bailing/http';
import { BailingError, errorCatalogue, type ErrorCode } from '@bailing/plugin-api';
import type { Providers } from './providers.js';

export interface DebugInvokeDeps {
  readonly providers: Providers;
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, 'jobs' | 'stops'>;
  readonly calls: CallDeps;
  /** This process. */
  readonly replica: string;
}

/** The job is looked at again this often where nobody wakes us: it may be worked on by another hub. */
const LOOK_EVERY_MS = 250;
/** Beside the time of beginning and of the call itself. */
const PATIENCE_MS = 5_000;
const NAMED_MAX = 20;

/** `POST …/debug-invoke` (WIRE §4.4): the call is a job of its own, so that it is journalled and survives this process; the answer waits for its end. */
export function debugInvoker(deps: DebugInvokeDeps): ToolProvidersApi['debugInvoke'] {
  const { providers, store, calls, replica } = deps;
  return async (name, { tool, args, on_behalf_of: subject, job_id: jobId, allow_risky: allowRisky }, by, signal) => {
    const { row } = providers.one(name);
    await refuseWhilePaused(store);
    const ask: DebugAsk = { provider: row.name, tool, args, subject, allowRisky };
    const timeoutMs = knownTool(ask, deps);
    const path = `/admin/api/tool-providers/${row.name}/debug-invoke`;
    const { clock, wakeups } = calls;
    const request = { ...ask, by: by.name, replica, path, ...(jobId !== undefined && { jobId }) };
    const { is, job } = await acceptDebug(request, { jobs: store.jobs, clock, wakeups });
    const ended = await endOf(job, DEBUG_BEGINS_WITHIN_MS + (timeoutMs > 0 ? timeoutMs : row.timeout_ms) + PATIENCE_MS, signal, deps);
    return { ...viewOf(ended, deps), ...(is === 'same' && { repeated: true as const }) };
  };
}

/** The tool's own time limit. @throws BAILING_REQUEST_MALFORMED where the provider has no such tool */
function knownTool({ provider, tool }: DebugAsk, { catalogue }: DebugInvokeDeps): number {
  const tools = catalogue.current(provider)?.tools;
  const found = tools?.get(tool);
  if (found) return found.definition.timeoutMs;
  const names = [...(tools?.keys() ?? [])];
  const more = names.length > NAMED_MAX ? `, and ${String(names.length - NAMED_MAX)} more` : '';
  const detail = `${provider} has no such tool; it has ${names.slice(0, NAMED_MAX).join(', ') || 'none'}${more}.`;
  throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tool', detail });
}

async function endOf(job: JobRow, patienceMs: number, signal: AbortSignal, { store, calls }: DebugInvokeDeps): Promise<JobRow> {
  const until = performance.now() + patienceMs;
  for (;;) {
    // Listening starts before looking, so that an end in between is not slept over.
    const woken = calls.wakeups.wait(`job:${job.id}`, signal, LOOK_EVERY_MS);
    const now = (await store.jobs.get(job.id)) ?? job;
    if (['done', 'error', 'rejected'].includes(now.status) || signal.aborted || performance.now() > until) return now;
    await woken;
    // The worker looks rarely by itself; it may have passed the row over while a twin of this request held it, or its first worker may be gone.
    calls.wakeups.notify(`jobs:${DEBUG_INVOKE}`);
  }
}

function viewOf(job: JobRow, deps: DebugInvokeDeps): DebugInvokeView {
  const result = (parsed(job.result) ?? {}) as { readonly debug?: DebugOutcome } & Readonly<Record<string, unknown>>;
  const { debug } = result;
  const request = requestOf(job, debug, deps);
  if (!debug) return { ok: false, job_id: job.id, ...unfinished(job), request, ...governance(result) };
  const { ok, says, code, blocked, response } = debug;
  return {
    ok,
    job_id: job.id,
    ...(blocked && { blocked: true as const }),
    ...(code !== undefined ? reasonOf(code, blocked?.reason ?? says) : says !== '' && { reason: says }),
    request,
    ...(response && { response }),
    ...governance(result),
  };
}

/** What a job says that ended otherwise, or has not ended. */
function unfinished(job: JobRow) {
  const known = jobErrorOf(job);
  // A word of the contract is none for people.
  if (known) return { reason: job.error?.includes(' ') ? job.error : errorCatalogue[known.code].says, ...known };
  return { reason: `The job is ${job.status} and its outcome is not known yet; ask again with this job_id.` };
}

function governance({ governance_state: state, tool_execution: execution }: Readonly<Record<string, unknown>>) {
  return typeof state === 'string' ? { governance_state: state, tool_execution: execution } : {};
}

/** What an agent reads ends with what to do next; here that has a member of its own. */
function reasonOf(code: string, says: string) {
  const fix = Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode].fix : '';
  return { reason: says.endsWith(fix) ? says.slice(0, says.length - fix.length).trimEnd() : says, code, fix };
}

/** Bytes are not kept with the job, because arguments may be nobody's business: they are made again, and shown where they are the same. */
function requestOf(job: JobRow, debug: DebugOutcome | undefined, { calls, providers }: DebugInvokeDeps): DebugRequestView | null {
  const ask = debugOfJob(job)?.debug;
  if (!ask || debug?.digest === undefined) return null;
  try {
    const { governed, frozen } = debugBytes(job, ask, calls);
    if (frozen.digest !== debug.digest) return null;
    const { signedAt, idempotencyKey } = debug;
    const shown = explainRequest(governed, frozen, providers.preview(ask.provider, frozen), {
      job: job.id,
      ...(signedAt !== undefined && { timestamp: String(Math.floor(signedAt / 1_000)) }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    return {
      ...{ method: shown.method, url: shown.url, path_with_query: shown.signed_target },
      ...{ body: shown.body, body_encoding: shown.body_encoding, on_behalf_of: ask.subject === '' ? null : ask.subject, job_id: job.id },
      headers: Object.fromEntries(shown.headers),
      signature_material: shown.string_to_sign,
    };
  } catch {
    // The tool changed or went since; what was sent then is in the ledger, by its digest.
    return null;
  }
}
