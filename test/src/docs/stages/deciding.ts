import { submitScript, until } from '../../support/desk.js';
import { ask, waitForEnd } from '../../support/http.js';
import { SERVER_TOKEN } from '../../support/world.js';
import { besideHub, type HubStage } from '../stage.js';

const refund = (tool: string, n: number) => ({ tool, arguments: { order_no: 'A-1001', amount: 200 + n, reason: 'damaged' } });

const items = async ({ hub }: HubStage, what: string): Promise<readonly unknown[]> =>
  (await ask(hub.url, 'GET', `/admin/api/${what}`, undefined, SERVER_TOKEN)).body['items'] as readonly unknown[];

/** Three calls wait for a decision; two questions could not be delivered, and now could. */
export async function questions(): Promise<HubStage> {
  const state: { status: number | undefined } = { status: 404 };
  const stage = await besideHub({
    approval: (url) => `{ type: business_webhook, url: '${url}/approvals' }`,
    service: { onQuestion: () => state.status },
  });
  for (const n of [1, 2, 3])
    await waitForEnd(stage.hub.url, await submitScript(stage.hub.url, `q:${String(n)}`, [[refund('refund_execute', n)]]));
  await until(async () => (await items(stage, 'delivery-dlq')).length === 3);
  state.status = undefined;
  return stage;
}

/** The answers of three writes got lost long enough ago. */
export async function unknownWrites(): Promise<HubStage> {
  const clock = { by: -155_000, now: () => Date.now() + clock.by };
  let late = true;
  const onCall = async (tool: string) => {
    if (late && tool.startsWith('refund')) await new Promise((resolve) => setTimeout(resolve, 1_200));
  };
  const stage = await besideHub({ provider: 'reconcile: off', timeoutMs: 1_000, service: { onCall } }, { clock });
  const { url } = stage.hub;
  const lost = async (n: number) => {
    const job = await submitScript(url, `u:${String(n)}`, [[refund('refund_request_create', n)]], 'u-ada');
    await waitForEnd(url, job);
    return job;
  };
  const [first = ''] = await Promise.all([1, 2, 3].map(lost));
  late = false;
  clock.by = 155_000;
  return { ...stage, env: { ...stage.env, JOB: first } };
}
