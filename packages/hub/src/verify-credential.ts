import { line, type OpenedCredential } from '@bailing/engine';
import type { JobStore } from '@bailing/engine/ports';
import type { OperateApi, Verified } from '@bailing/http';
import { BailingError, ModelFailure, type Clock, type Log, type ModelProvider, type ModelRequest } from '@bailing/plugin-api';

export interface VerifyDeps {
  /** Undefined for one that is not there or disabled. */
  readonly named: (name: string) => OpenedCredential | undefined;
  readonly jobs: Pick<JobStore, 'note'>;
  readonly clock: Clock;
  readonly log: Log;
}

const QUESTION = 'Answer with the one word OK.';
const SHOWN_CHARS = 200;
/** One red pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** One short question to a model endpoint; the ledger knows who asked. What the endpoint says is the answer, not a failure of the hub. */
export function credentialVerifier({ named, jobs, clock, log }: VerifyDeps): OperateApi['verifyCredential'] {
  return async (name, { capability, model, timeoutMs }, by, signal) => {
    const open = named(name);
    if (!open) throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: 'There is no such credential that is enabled.' });
    const path = `/admin/api/credentials/${name}/verify`;
    const detail = { by: by.name, method: 'POST', path, credential: name, capability };
    await jobs.note([line('credential_verify', { job: '-', requestId: 'config' }, clock.now(), detail)]);
    const parts = capability === 'vision' ? { parts: [{ is: 'image', url: PIXEL } as const] } : {};
    const request: ModelRequest = {
      ...(model !== undefined && { model }),
      messages: [{ role: 'user', content: QUESTION, ...parts }],
      tools: [],
    };
    const began = performance.now();
    const limit = AbortSignal.timeout(timeoutMs);
    const answer = await ask(open.provider, request, AbortSignal.any([limit, signal])).catch((error: unknown) => {
      if (!(error instanceof ModelFailure)) log.warn('a model failed while it was verified', { credential: name, error: nameOf(error) });
      const other = limit.aborted ? `It did not answer within ${String(timeoutMs)} ms.` : 'It failed; the log of the hub says where.';
      return { ok: false, message: error instanceof ModelFailure && !limit.aborted ? error.message : other };
    });
    return {
      ...answer,
      message: answer.message.slice(0, SHOWN_CHARS).toWellFormed(),
      capability,
      model: model ?? open.provider.name,
      duration_ms: Math.round(performance.now() - began),
    };
  };
}

async function ask(provider: ModelProvider, request: ModelRequest, signal: AbortSignal): Promise<Pick<Verified, 'ok' | 'message'>> {
  let text = '';
  let ended = false;
  for await (const delta of provider.answer(request, signal)) {
    if (delta.is === 'text' && text.length < SHOWN_CHARS) text += delta.text;
    if (delta.is === 'end') ended = true;
  }
  if (!ended) return { ok: false, message: 'Its answer was cut off.' };
  return text.trim() === '' ? { ok: false, message: 'It answered nothing.' } : { ok: true, message: `It answered: ${text.trim()}` };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
