import { readConfig, type BailingConfig } from '@bailing/resources';
import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { admin } from '../support/desk.js';
import { ask, eventsOf, submit, waitForEnd } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { PAGER_TOKEN, startPager, type Pager } from '../support/pager.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

/** Three pages of ten characters. */
const TEXT = 'aaaaaaaaaabbbbbbbbbbcccccccccc';
const PAGES = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'];

interface Edge {
  readonly title: string;
  /** Place of the store where the process ends itself. */
  readonly at?: string;
  /** What the receiver does with its pages; `kill` ends the hub before the answer, with the page taken. */
  readonly pages?: readonly (202 | 'kill' | 'hang-up')[];
  readonly unknown?: readonly string[];
  /** Pages that are taken in all, before and after the restart. */
  readonly taken: number;
  readonly promise: 'sent' | 'frozen';
  /** Part notes in the ledger. */
  readonly notes?: readonly string[];
  /** Sent by a client instead of an agent. */
  readonly send?: true;
  /** What an operator does after the restart, before anybody goes on with the job. */
  readonly meanwhile?: 'cancels it' | 'has disabled the channel' | 'has stopped the channel';
  readonly everywhere?: true;
}

const EDGES: readonly Edge[] = [
  { title: 'before the message was committed to', at: 'intend-write:after-hold-job', taken: 3, promise: 'sent' },
  { title: 'committed to and not begun', at: 'intend-write:after-commit', taken: 0, promise: 'frozen', notes: [] },
  { title: 'between two parts', pages: [202, 'kill'], taken: 2, promise: 'frozen', notes: ['accepted'], everywhere: true },
  {
    title: 'between two parts of a message that a client sends',
    pages: [202, 'kill'],
    taken: 2,
    promise: 'frozen',
    notes: ['accepted'],
    send: true,
  },
  {
    title: 'between two parts of a message that a client sends, and an operator cancels it',
    pages: [202, 'kill'],
    taken: 2,
    promise: 'frozen',
    send: true,
    meanwhile: 'cancels it',
  },
  { title: 'in the last part', pages: [202, 202, 'kill'], taken: 3, promise: 'frozen', notes: ['accepted', 'accepted'] },
  {
    title: 'all accepted and not yet written down',
    at: 'settle-write:before-commit',
    taken: 3,
    promise: 'frozen',
    everywhere: true,
  },
  { title: 'all accepted and written down', at: 'settle-write:after-commit', taken: 3, promise: 'sent' },
  ...(['cancels it', 'has disabled the channel', 'has stopped the channel'] as const).map((meanwhile) => ({
    title: `all accepted and written down, of a client's message, and an operator ${meanwhile}`,
    at: 'settle-write:after-commit',
    taken: 3,
    promise: 'sent' as const,
    send: true as const,
    meanwhile,
  })),
  {
    title: 'the channel took a part, answered nothing and died; then the hub too',
    pages: [202, 'hang-up'],
    at: 'unknown:after-commit',
    taken: 2,
    promise: 'frozen',
    notes: ['accepted', 'unknown'],
  },
  {
    title: 'some recipients were refused; then the hub died',
    unknown: ['p2'],
    at: 'unknown:before-commit',
    taken: 1,
    promise: 'frozen',
    notes: ['partly'],
  },
];

function configOf(database: string, pager: string, enabled = true): BailingConfig {
  const text = JSON.stringify({
    hub: { port: 0, token: SERVER_TOKEN, database, log_level: 'warn', lease_ms: 1_000, shutdown_drain_ms: 2_000 },
    clients: [
      { app_id: 'back-office', token: CLIENT_TOKEN, allowed_routes: ['orders'], allowed_channels: ['on-call'], rate_limit_per_min: 0 },
    ],
    credentials: [{ name: 'script', provider: 'script' }],
    channels: [{ name: 'on-call', kind: 'pages', enabled, timeout_ms: 1_000, config: { url: pager, token: PAGER_TOKEN } }],
    routes: [
      {
        route_key: 'orders',
        target_config: { credential: 'script' },
        tools: { builtin: { send_message: { channels: ['on-call'] } } },
      },
    ],
  });
  const read = readConfig(text, { env: {}, readFile: () => '' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.config;
}

const REQUEST = { request_id: 'page:1', channel: 'on-call', to: 'p1|p2', text: TEXT };
const SCRIPT = JSON.stringify([[{ tool: 'send_message', arguments: { to: 'p1|p2', text: TEXT } }]]);

async function start(hub: HubProcess, edge: Edge): Promise<string> {
  if (!edge.send) return String((await submit(hub.url, 'page:1', SCRIPT)).body.job_id);
  // The process dies while it answers.
  const lost = ask(hub.url, 'POST', '/send', REQUEST);
  await lost.catch(() => undefined);
  return '';
}

async function play(edge: Edge, fixture: DatabaseFixture) {
  const [database, pager] = [await fixture.create(), await startPager()];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-pages-'));
  const configFile = path.join(folder, 'config.json');
  fs.writeFileSync(configFile, JSON.stringify(configOf(database.url, pager.url)));
  let hub: HubProcess | null = null;
  try {
    hub = await startHubProcess({ configFile, lean: true, ...(edge.at !== undefined && { failpoint: edge.at }) });
    if (!hub) throw new Error('the hub died before it listened');
    react(pager, edge, hub);
    const job = await start(hub, edge);
    const signal = await Promise.race([hub.ended, new Promise<'alive'>((resolve) => setTimeout(() => resolve('alive'), 15_000))]);
    if (signal === 'alive') await hub.kill();
    const enabled = edge.meanwhile !== 'has disabled the channel';
    fs.writeFileSync(configFile, JSON.stringify(configOf(database.url, pager.url, enabled)));
    hub = await startHubProcess({ configFile, lean: true });
    const url = hub?.url ?? '';
    await interfere(url, edge);
    const again = edge.send ? await ask(url, 'POST', '/send', REQUEST) : null;
    const id = again ? String(again.body.job_id) : job;
    const ended = await waitForEnd(url, id);
    const open = (await admin(url, 'GET', '/unresolved')).body.items as { job_id: string; tool: string }[];
    const events = await eventsOf(url, id);
    return {
      killed: signal === 'SIGKILL',
      ...(edge.meanwhile && { result: (ended.result as { text?: string } | null)?.text }),
      ...(edge.send && { replayed: (await ask(url, 'POST', '/send', REQUEST)).body.governance_state }),
      status: ended.status,
      error: ended.error,
      pages: pager.got.map(({ page }) => page),
      keys: new Set(pager.got.map(({ key }) => key)).size,
      notes: events.filter(({ event }) => event === 'builtin_send_part').map(({ detail }) => detail.state),
      history: (await database.query('SELECT marker FROM bz_outbound')).map(({ marker }) => marker),
      offered: open.filter(({ job_id: of, tool }) => of === id && tool === 'send_message').length,
    };
  } finally {
    await hub?.kill();
    await pager.close();
    fs.rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
}

/** Whatever is done to the job or its channel now, the message has been sent. */
async function interfere(url: string, { meanwhile, promise }: Edge): Promise<void> {
  if (meanwhile === 'has stopped the channel') await admin(url, 'POST', '/stops', { what: 'channel:on-call' });
  if (meanwhile !== 'cancels it') return;
  const [{ job_id: id }] = (await admin(url, 'GET', '/runs')).body as unknown as [{ job_id: string }];
  const cancelled = await ask(url, 'POST', `/jobs/${id}/cancel`, undefined, SERVER_TOKEN);
  // What may have arrived is a person's to settle, whoever asks for an end first.
  expect(cancelled.body.code).to.be.oneOf(promise === 'frozen' ? ['BAILING_JOB_WRITING', 'BAILING_JOB_ENDED'] : ['BAILING_JOB_ENDED']);
}

function react(pager: Pager, edge: Edge, hub: HubProcess): void {
  pager.unknown = edge.unknown ?? [];
  pager.react = async (nth) => {
    const does = edge.pages?.[nth - 1] ?? 202;
    if (does !== 'kill') return does;
    await hub.kill();
    return 'hang-up';
  };
}

for (const fixture of await databases()) {
  describe(`crash: kill -9 while a message of three parts goes out, on ${fixture.name}`, function () {
    this.timeout(240_000);
    const edges = EDGES.filter(({ everywhere }) => everywhere === true || fixture.name === 'sqlite');
    const outcomes = new Map<Edge, Awaited<ReturnType<typeof play>> | Error>();
    before(async () => {
      const todo = [...edges];
      const work = async (): Promise<void> => {
        for (let edge = todo.shift(); edge; edge = todo.shift()) {
          const failed = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
          outcomes.set(edge, await play(edge, fixture).catch(failed));
        }
      };
      await Promise.all([work(), work(), work()]);
    });

    for (const edge of edges) {
      it(`${edge.title}: ${edge.promise === 'sent' ? 'each part goes out once' : 'no part twice, and a person settles it'}`, () => {
        const outcome = outcomes.get(edge);
        if (!outcome || outcome instanceof Error) throw outcome ?? new Error('not played');
        expect(outcome).to.deep.include({ killed: true, pages: PAGES.slice(0, edge.taken), keys: Math.min(1, edge.taken) });
        expect(outcome.history).to.deep.equal(edge.promise === 'sent' ? Array(2).fill(edge.send ? 'send' : 'brain-send') : []);
        if (edge.notes) expect(outcome.notes).to.deep.equal(edge.notes);
        if (edge.promise === 'sent') expect(outcome).to.include({ status: 'done', offered: 0 });
        else expect(outcome).to.include({ status: 'error', error: 'tool_execution_reconciliation_required', offered: 1 });
        if (edge.send && edge.promise === 'frozen') expect(outcome.replayed).to.equal('reconciliation_required');
        if (edge.meanwhile && edge.promise === 'sent') expect(outcome.result).to.equal('Sent through on-call to 2 recipients in 3 parts.');
      });
    }
  });
}
