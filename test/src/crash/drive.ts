import net from 'node:net';
import { EXECUTOR_TOKEN } from '../support/shop.js';
import { SERVER_TOKEN } from '../support/world.js';
import type { Stage } from './stage.js';

/** Does what the people around a hub do: submits the job, works on it where an executor does, and asks until it has ended. */
export async function drive(stage: Stage): Promise<string> {
  const { also, door } = stage.edge.story;
  if (also === 'drop-claim') dropClaim(stage);
  const id = await submit(stage, 'crash:1');
  if (also === 'submit-again') await submit(stage, 'crash:1');
  if (door === 'executor') await work(stage);
  await ended(stage, id);
  if (also === 'submit-another') await refused(stage, 'crash:2');
  if (also === 'stop') await stop(stage);
  if (also === 'pause' || also === 'resume') await flag(stage, also);
  return id;
}

function run(stage: Stage, requestId: string) {
  const { script, door } = stage.edge.story;
  const input = door === 'executor' ? 'work on order A-1001' : JSON.stringify(script);
  return stage.ask('POST', '/run', { request_id: requestId, route: 'orders', input, metadata: { operator_uid: 'u-ada' } });
}

async function submit(stage: Stage, requestId: string): Promise<string> {
  const { status, body } = await run(stage, requestId);
  if (status !== 202) throw new Error(`submitted, answered ${String(status)}: ${JSON.stringify(body)}`);
  return String(body.job_id);
}

async function refused(stage: Stage, requestId: string): Promise<void> {
  const { status } = await run(stage, requestId);
  if (status !== 429) throw new Error(`a client over its limit was answered ${String(status)}`);
}

async function ended(stage: Stage, id: string): Promise<void> {
  for (;;) {
    const { body } = await stage.ask('GET', `/jobs/${id}`);
    if (['done', 'error', 'rejected'].includes(String(body.status))) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
    stage.hurry(`job ${id} is still ${String(body.status)}`);
  }
}

/** Longer than what rides waits for a commit to go with. */
const THINK_MS = 400;

interface Work {
  readonly job_id: string;
  readonly claim_token: string;
  readonly tools: { readonly invoke_url: string; readonly tool_token: string };
}

/** An executor: claims, calls in the order of the script, reports. What was not answered is asked again. */
async function work(stage: Stage): Promise<void> {
  const { also } = stage.edge.story;
  const attempts = also === 'fail-once' ? [false, true] : [true];
  for (const ok of attempts) {
    const item = await claim(stage);
    if (also === 'heartbeat') await stage.ask('POST', '/executor/heartbeat', { executor_id: 'w', targets: ['my-agent'] }, EXECUTOR_TOKEN);
    if (ok) await callAll(stage, item);
    if (also === 'think') await new Promise((resolve) => setTimeout(resolve, THINK_MS));
    const report = { job_id: item.job_id, ok, output: { text: 'worked' }, claim_token: item.claim_token, ...(!ok && { error: 'not yet' }) };
    await stage.ask('POST', '/executor/result', report, EXECUTOR_TOKEN);
  }
}

async function callAll(stage: Stage, { tools }: Work): Promise<void> {
  for (const { tool, arguments: args } of stage.edge.story.script.flat()) {
    await stage.ask('POST', tools.invoke_url, { tool, arguments: args }, tools.tool_token);
  }
}

async function claim(stage: Stage): Promise<Work> {
  for (;;) {
    const { body } = await stage.ask(
      'POST',
      '/executor/claim',
      { executor_id: 'w', targets: ['my-agent'], wait_ms: 1_000 },
      EXECUTOR_TOKEN,
    );
    if (body.job !== null) return body.job as Work;
    stage.hurry('no job was handed over');
  }
}

/** A waiting claim whose connection is reset in the moment of the hand-over. */
function dropClaim(stage: Stage): void {
  const body = JSON.stringify({ executor_id: 'gone', targets: ['my-agent'], wait_ms: 20_000 });
  const head = [
    `POST /executor/claim HTTP/1.1`,
    'host: hub',
    `authorization: Bearer ${EXECUTOR_TOKEN}`,
    `content-length: ${String(body.length)}`,
  ];
  const socket = net.connect(Number(new URL(stage.victim?.url ?? '').port), '127.0.0.1');
  socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy());
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Told to stop, the hub dies while it closes its ledger chains. */
async function stop(stage: Stage): Promise<void> {
  stage.victim?.send('SIGTERM');
  await stage.gone;
  await stage.rescue();
}

/** An operator's switch: without an answer nobody knows, so the hub that comes next must show what was committed. */
async function flag(stage: Stage, what: 'pause' | 'resume'): Promise<void> {
  if (what === 'resume') await stage.ask('POST', '/admin/pause', {}, SERVER_TOKEN);
  await stage.tryAsk('POST', `/admin/${what}`, {}, SERVER_TOKEN);
  await stage.gone;
  await stage.rescue();
  const { act } = stage.edge;
  const committed = act.is === 'kill' && act.at.endsWith(':after-commit');
  const { body } = await stage.ask('GET', '/health');
  if (body.paused !== (committed === (what === 'pause'))) throw new Error(`after ${what} the hub says paused: ${String(body.paused)}`);
}
