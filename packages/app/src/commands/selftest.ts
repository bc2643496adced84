import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { demoConfig } from '../demo/config-text.js';
import { setStage, type Stage } from '../demo/stage.js';
import { loadConfig } from '../load-config.js';
import { bold, CommandFailure, print } from '../out.js';

interface Told {
  readonly ok: boolean;
  readonly says: string;
}

type Gate = readonly [name: string, ask: (stage: Stage, work: Work) => Promise<Told> | Told];

/** A job in the hands of the selftest, as an executor would have it. */
interface Work {
  readonly listed: readonly string[];
  readonly invoke: (tool: string, args: object) => Promise<{ ok?: boolean; code?: string; text?: string }>;
}

/** Boots a hub beside a business of its own and asks whether the fences hold. Touches nothing that is configured. Ends with status 1 where one does not. */
export async function selftest(): Promise<void> {
  const executor = randomBytes(16).toString('hex');
  const stage = await setStage(
    (settings) =>
      `${demoConfig(settings)}    target: selftest\ntargets: [{ name: selftest }]\nexecutor_tokens:\n  - { name: selftest, token: ${executor}, allowed_targets: [selftest] }\n`,
  );
  try {
    const work = await claim(stage, executor);
    for (const [name, ask] of GATES) {
      const { ok, says } = await ask(stage, work);
      print(`${ok ? 'ok  ' : bold('FAIL')} ${name}: ${says}`);
      if (!ok) process.exitCode = 1;
    }
  } finally {
    await stage.close();
  }
}

const ORDER = { order_no: 'A-1001' };

const GATES: readonly Gate[] = [
  ['a route of an unregistered provider is refused', unregistered],
  [
    'a tool outside the allow list is not listed',
    (_, { listed }) => ({ ok: listed.length > 0 && !listed.includes('write_lookup'), says: `listed are ${listed.join(', ')}` }),
  ],
  [
    'a tool outside the allow list is not callable',
    async (_, { invoke }) => {
      const { ok, code = 'none' } = await invoke('write_lookup', { idempotency_key: 'x' });
      return { ok: ok === false && code === 'BAILING_TOOL_NOT_GRANTED', says: `the answer was ${code}` };
    },
  ],
  [
    'a signed call is let in by the reference verifier',
    async (_, { invoke }) => {
      const { ok, text = '' } = await invoke('order_read', ORDER);
      return { ok: ok === true, says: ok === true ? 'the business verified it' : text };
    },
  ],
  [
    'an unsigned call is turned away by the reference verifier',
    async ({ service }) => {
      const { status } = await fetch(`${service.url}/orders/${ORDER.order_no}`);
      return { ok: status === 401, says: `the business answered ${String(status)}` };
    },
  ],
  [
    'arguments outside the schema are refused before anything is sent',
    async (_, { invoke }) => {
      const { code = 'none' } = await invoke('order_read', { order_no: '../admin' });
      return { ok: code === 'BAILING_ARGS_INVALID', says: `the answer was ${code}` };
    },
  ],
  [
    'a high risk waits for a person',
    async (_, { invoke }) => {
      const { code = 'none' } = await invoke('refund_execute', { ...ORDER, amount: 5, reason: 'selftest' });
      return { ok: code === 'BAILING_APPROVAL_PENDING', says: `the answer was ${code}` };
    },
  ],
];

function unregistered({ configFile }: Stage): Told {
  const file = path.join(path.dirname(configFile), 'unregistered.yaml');
  fs.writeFileSync(file, fs.readFileSync(configFile, 'utf8').replace('- provider: orders', '- provider: nobody'), { mode: 0o600 });
  try {
    loadConfig(file, {});
    return { ok: false, says: 'the configuration was taken' };
  } catch (error) {
    return { ok: error instanceof CommandFailure && error.message.includes('nobody'), says: 'the configuration is refused by name' };
  }
}

async function claim({ url, clientToken }: Stage, executor: string): Promise<Work> {
  const metadata = { operator_uid: 'u-ada' };
  await ask(`${url}/run`, clientToken, { request_id: 'selftest:1', route: 'orders', input: 'selftest', metadata });
  const body = { executor_id: 'selftest', targets: ['selftest'], wait_ms: 10_000 };
  const { job } = (await ask(`${url}/executor/claim`, executor, body)) as {
    job: { tools: { invoke_url: string; tool_token: string; defs?: { name: string }[] } } | null;
  };
  if (!job) throw new CommandFailure('The hub of the selftest handed out no job.');
  const { invoke_url: at, tool_token: token, defs = [] } = job.tools;
  return {
    listed: defs.map(({ name }) => name),
    invoke: (tool, args) => ask(url + at, token, { tool, arguments: args }) as Promise<{ ok?: boolean; code?: string; text?: string }>,
  };
}

async function ask(url: string, token: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}
