import { ALWAYS } from '@bailing/app';
import type { HubOptions } from '@bailing/hub';
import { ask, waitForEnd, type Answer } from './http.js';
import { startHub, type RunningHub } from './hub.js';
import { deskModelPlugin, type Script } from './desk-model.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World, type WorldOptions } from './world.js';

/** A model that does what the job says, so that a story decides which calls are proposed. */
export const SCRIPTED = {
  more: 'credentials:\n  - { name: script, provider: desk-script }',
  route: 'target_config: { credential: script }',
};

/** A business whose people decide: questions go to its signed webhook, decisions come back signed. */
export async function deskWorld(options: WorldOptions & { readonly expiresAfterMs?: number } = {}): Promise<World> {
  const expiry = options.expiresAfterMs === undefined ? '' : `, expires_after_ms: ${String(options.expiresAfterMs)}`;
  return makeWorld({ ...SCRIPTED, approval: (url) => `{ type: business_webhook, url: '${url}/approvals'${expiry} }`, ...options });
}

export async function deskHub(world: World, more: Partial<HubOptions> = {}): Promise<RunningHub> {
  const hub = await startHub(world, { plugins: [...ALWAYS, deskModelPlugin], ...more });
  world.service.connectHub({ url: hub.url, clientToken: CLIENT_TOKEN });
  return hub;
}

/** Submits a script for u-cleo, who may pay out. */
export async function submitScript(url: string, requestId: string, script: Script, subject = 'u-cleo'): Promise<string> {
  const request = { request_id: requestId, route: 'orders', input: JSON.stringify(script), metadata: { operator_uid: subject } };
  const { status, body } = await ask(url, 'POST', '/run', request);
  if (status !== 202) throw new Error(`the job was not accepted: ${JSON.stringify(body)}`);
  return String(body.job_id);
}

export async function until<T>(what: () => Promise<T | undefined | null | false> | T | undefined | null | false, ms = 15_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await what();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`did not happen within ${String(ms)} ms: ${String(what)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export interface Governance {
  readonly pending: readonly { readonly approval_id: number; readonly tool: string; readonly summary: string }[];
  readonly decisions: readonly {
    readonly approval_id: number;
    readonly decision: string;
    readonly approver?: string;
    readonly reason?: string;
  }[];
  readonly executed: readonly { readonly approval_id: number; readonly ok?: boolean; readonly status?: number; readonly text?: string }[];
}

export interface Ended {
  readonly status: string;
  readonly error: string;
  readonly text: string;
  readonly governance: Governance;
}

/** Waits for the end of a job; with `executed` until so many approved calls were run and it ended again. */
export async function ended(url: string, job: string, executed = 0): Promise<Ended> {
  return until(async () => {
    const body = await waitForEnd(url, job);
    const result = (body.result ?? {}) as { text?: string; governance?: Governance };
    const governance = result.governance ?? { pending: [], decisions: [], executed: [] };
    if (governance.executed.length < executed) return null;
    return { status: String(body.status), error: typeof body.error === 'string' ? body.error : '', text: result.text ?? '', governance };
  });
}

export function admin(url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return ask(url, method, `/admin/api${path}`, body, SERVER_TOKEN);
}
