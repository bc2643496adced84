import type { CallContext, GovernedCall, Outcome, Ticket, ToolDefinition } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { Download } from './files.js';
import { messenger } from './messenger.js';
import type { SendBinding } from './tool.js';

const FETCH_MS = 20_000;
const CHANNEL_MS = 50;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const context = { job: 'j', client: '', subject: null, scope: 'builtin.send_message' } as unknown as CallContext;
const tool = {} as ToolDefinition<SendBinding>;

/** One message with files by address, fetched by `download`; `leftMs` of its whole time are left when it is sent. */
async function send(download: Download, leftMs: (timeoutMs: number) => number = (timeoutMs) => timeoutMs, more: object = {}) {
  const got: number[] = [];
  const channel = {
    prepare: (message: { files: readonly unknown[] }) => Promise.resolve([{ says: 'all', body: message.files.length }]),
    deliver: ({ body }: { body: unknown }) => Promise.resolve((got.push(body as number), { is: 'accepted' as const })),
  };
  const open = { name: 'ops', kind: 'memory', revision: '', timeoutMs: CHANNEL_MS, channel };
  const deps = {
    channel: () => open,
    begin: () => ({ channel: open, end: () => undefined }),
    ...{ download, clock: { now: () => Date.now() }, log: quiet, note: () => Promise.resolve() },
  };
  const invoker = messenger(deps);
  const files = ['a', 'b'].map((name) => ({ name, url: `https://files.example/${name}` }));
  const args = { channel: 'ops', to: ['u1'], text: 'Hi', files, ...more } as unknown as GovernedCall['args'];
  const frozen = invoker.freeze(tool, args, context);
  const now = Date.now();
  const ticket = { key: 'k', signAt: now, sendBy: now + leftMs(frozen.timeoutMs) } as unknown as Ticket;
  const outcome: Outcome = await invoker.send(frozen, ticket, context, new AbortController().signal);
  return { outcome, got, timeoutMs: frozen.timeoutMs };
}

const statusOf = (outcome: Outcome) => (outcome.is === 'answered' ? outcome.answer.status : outcome.is);

describe('the files of a message', () => {
  it('have a time of their own, so that a slow one does not eat the time of the channel', async () => {
    const slow: Download = () =>
      new Promise((resolve) => setTimeout(() => resolve({ bytes: new Uint8Array(1), contentType: 'text/plain' }), 2 * CHANNEL_MS));
    const { outcome, got, timeoutMs } = await send(slow);
    expect(timeoutMs).to.equal(FETCH_MS + CHANNEL_MS);
    expect(statusOf(outcome)).to.equal(200);
    expect(got).to.deep.equal([2]);
  });

  it('that never end leave the message not sent, also where the fetch does not heed its signal, and every fetch is told to stop', async () => {
    const signals: AbortSignal[] = [];
    const endless: Download = (_url, _limits, signal) => (signals.push(signal), new Promise(() => undefined));
    const { outcome, got } = await send(endless, () => CHANNEL_MS + 20);
    expect(statusOf(outcome)).to.equal(503);
    expect(outcome.is === 'answered' && outcome.answer.body).to.equal('Not sent: the files of the message did not come in time.');
    expect(got).to.deep.equal([]);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true]);
  });

  it('are fetched all or none: one that fails ends the others and sends nothing', async () => {
    const signals: AbortSignal[] = [];
    const half: Download = (url, _limits, signal) => {
      signals.push(signal);
      return url.endsWith('a') ? new Promise(() => undefined) : Promise.reject(new Error('hidden'));
    };
    const { outcome, got } = await send(half);
    expect(outcome.is === 'answered' && outcome.answer.body).to.equal('Not sent: a file of the message could not be fetched.');
    expect(got).to.deep.equal([]);
    expect(signals.every(({ aborted }) => aborted)).to.equal(true);
  });

  it('that are links of a delivered answer stay links where they cannot be had, or not in time, and the message goes out', async () => {
    const linked = { linked: true };
    const half: Download = (url) =>
      url.endsWith('a') ? Promise.reject(new Error('hidden')) : Promise.resolve({ bytes: new Uint8Array(1), contentType: 'text/plain' });
    const some = await send(half, undefined, linked);
    expect(some.got).to.deep.equal([1]);
    expect(some.outcome.is === 'answered' && some.outcome.answer.body).to.equal('Sent through ops to 1 recipient. Left as links: 1.');
    const endless: Download = () => new Promise(() => undefined);
    const none = await send(endless, () => CHANNEL_MS + 20, linked);
    expect([statusOf(none.outcome), none.got]).to.deep.equal([200, [0]]);
  });
});
