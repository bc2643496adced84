import {
  BailingError,
  type Channel,
  type ChannelKind,
  type ChannelRow,
  type Invoker,
  type Log,
  type Outcome,
  type Ticket,
} from '@bailing/plugin-api';
import { createSchemaCheck } from '@bailing/schema';
import { expect } from 'chai';
import { Channels } from './channels.js';

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const row = (name: string, to: string, secret = 's1') => ({
  ...{ name, kind: 'memory', config: { to, secret }, timeout_ms: 1_000, enabled: true },
});
const tool = { tool: 'send_message' } as unknown as Parameters<Invoker['freeze']>[0];
const context = { job: 'j' } as unknown as Parameters<Invoker['freeze']>[2];

function rig() {
  const opened: string[] = [];
  const closed: string[] = [];
  const sent: string[] = [];
  /** Ends the messages that are under way. */
  let go = () => undefined as void;
  const gate = { wait: Promise.resolve(), hold: () => void (gate.wait = new Promise((resolve) => (go = resolve))), go: () => go() };
  const give: { open?: (row: ChannelRow) => unknown } = {};
  const logged: string[] = [];
  const log: Log = { ...quiet, warn: (...said) => void logged.push(JSON.stringify(said)) };
  const value: ChannelKind = {
    row: {
      type: 'object',
      properties: { to: { type: 'string', minLength: 2 }, secret: { type: 'string', writeOnly: true } },
      required: ['to'],
    },
    open: ({ name, config }: ChannelRow) => {
      const label = `${name}>${String(config['to'])}/${String(config['secret'])}`;
      if (config['to'] === 'broken') throw new TypeError(`cannot open with ${String(config['secret'])}`);
      if (give.open) return give.open({ name, kind: 'memory', config }) as Channel;
      opened.push(label);
      return {
        prepare: () => Promise.resolve([{ says: 'all', body: label }]),
        deliver: async () => {
          await gate.wait;
          sent.push(label);
          return { is: 'accepted' };
        },
        close: () => Promise.resolve(void closed.push(label)),
      };
    },
  };
  const jobs = { get: () => Promise.resolve(null), note: () => Promise.resolve() };
  const kinds = [{ name: 'memory', value }] as unknown as ConstructorParameters<typeof Channels>[0]['kinds'];
  const options = { kinds, schema: createSchemaCheck(), callerHosts: [], jobs, clock: { now: () => Date.now() }, log };
  const channels = new Channels({ ...options, rows: [row('ops', 'aa'), row('rest', 'rr')] });
  const freeze = (channel: string) => channels.invoker.freeze(tool, { channel, to: ['u1'], text: 'Hi', files: [] }, context);
  const send = (frozen: ReturnType<typeof freeze>): Promise<Outcome> => {
    const ticket = { key: 'k', signAt: Date.now(), sendBy: Date.now() + 5_000 } as unknown as Ticket;
    return channels.invoker.send(frozen, ticket, context, new AbortController().signal);
  };
  return { channels, opened, closed, sent, gate, freeze, send, give, logged };
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('The channels of a hub', () => {
  it('are opened beforehand and swapped together: what stayed as it was stays open, what went is closed', async () => {
    const { channels, opened, closed } = rig();
    const next = channels.prepare([row('ops', 'bb'), { ...row('rest', 'rr'), timeout_ms: 9_000 }, row('new', 'nn')]);
    expect(opened).to.deep.equal(['ops>aa/s1', 'rest>rr/s1', 'ops>bb/s1', 'new>nn/s1']);
    await settle();
    expect(closed).to.deep.equal([]);
    next.swap();
    await settle();
    expect(closed).to.deep.equal(['ops>aa/s1']);
    await channels.close();
    expect(closed.slice(1).sort()).to.deep.equal(['new>nn/s1', 'ops>bb/s1', 'rest>rr/s1']);
  });

  it('close what was opened for nothing, and never take what cannot be opened', async () => {
    const { channels, closed, freeze, send, sent } = rig();
    channels.prepare([row('ops', 'bb')]).discard();
    for (const [bad, at] of [
      [row('ops', 'broken', 'planted-secret'), 'channels ops, config'],
      [row('ops', 'b'), 'channels ops, config.to'],
      [{ ...row('ops', 'bb'), kind: 'nobody' }, 'channels ops, kind'],
    ] as const) {
      let refusal: unknown;
      try {
        channels.prepare([row('fresh', 'ff'), bad]);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).to.include({ code: 'BAILING_CONFIG_INVALID', at });
      expect(String(refusal)).to.not.include('planted-secret');
    }
    await settle();
    expect(closed).to.deep.equal(['ops>bb/s1', 'fresh>ff/s1', 'fresh>ff/s1', 'fresh>ff/s1']);
    expect((await send(freeze('ops'))).is).to.equal('answered');
    expect(sent).to.deep.equal(['ops>aa/s1']);
  });

  it('never take the place of one that works with something that is no channel, and nothing is said of its secrets', async () => {
    const { channels, freeze, send, sent, give, logged } = rig();
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', hear);
    const late = { closed: 0, close: () => Promise.resolve(void (late.closed += 1)) };
    const good = { prepare: () => Promise.resolve([]), deliver: () => Promise.resolve({ is: 'accepted' }) };
    const token = (row: ChannelRow) => `tok ${String(row.config['secret'])}`;
    const odd: readonly (readonly [(row: ChannelRow) => unknown, string])[] = [
      [(row) => Promise.reject(new Error(token(row))), 'a promise'],
      [() => Promise.resolve({ ...good, ...late, close: late.close }), 'a promise'],
      [() => new Promise(() => undefined), 'a promise'],
      [() => 7, 'number'],
      [() => null, 'null'],
      [() => undefined, 'undefined'],
      [() => ({}), 'no function prepare and no function deliver'],
      [() => ({ ...good, deliver: 7 }), 'no function deliver'],
      [() => ({ ...good, close: 7 }), 'close is no function'],
      [(row) => ({ ...good, get prepare() { throw new Error(token(row)); } }), 'cannot open it'], // prettier-ignore
      [(row) => { throw Object.assign(new Error('x'), { name: token(row) }); }, 'cannot open it'], // prettier-ignore
      [(row) => { throw new BailingError('BAILING_CONFIG_INVALID', { at: 'channels ops, config.to', detail: token(row) }); }, 'tok …'], // prettier-ignore
      [(row) => { throw new BailingError('BAILING_SPEC_UNREADABLE', { detail: encodeURIComponent(token(row)) }); }, 'tok%20…'], // prettier-ignore
    ];
    try {
      for (const [open, says] of odd) {
        give.open = open;
        let refusal: unknown;
        try {
          channels.prepare([row('ops', 'bb', 'planted secret+/1')]).swap();
        } catch (error) {
          refusal = error;
        }
        expect(refusal, says).to.include({ code: 'BAILING_CONFIG_INVALID' });
        expect(String((refusal as BailingError).detail)).to.include(says);
        expect(`${String(refusal)} ${JSON.stringify(refusal)}`, says).to.not.include('planted');
      }
      await settle();
      expect([unhandled, late.closed]).to.deep.equal([[], 1]);
      expect(logged.join('\n')).to.not.include('planted');
      expect((await send(freeze('ops'))).is).to.equal('answered');
      expect(sent).to.deep.equal(['ops>aa/s1']);
    } finally {
      process.off('unhandledRejection', hear);
    }
  });

  it('let a message end where it began, and close that channel only then', async () => {
    const { channels, closed, sent, gate, freeze, send } = rig();
    gate.hold();
    const under = [send(freeze('ops')), send(freeze('ops'))];
    await settle();
    channels.prepare([row('ops', 'bb'), row('rest', 'rr')]).swap();
    await settle();
    expect(closed).to.deep.equal([]);
    gate.go();
    expect((await Promise.all(under)).map(({ is }) => is)).to.deep.equal(['answered', 'answered']);
    await settle();
    expect(sent).to.deep.equal(['ops>aa/s1', 'ops>aa/s1']);
    expect(closed).to.deep.equal(['ops>aa/s1']);
  });

  it('send what was judged for one channel through no other: a new secret is the same channel, another address is not', async () => {
    const { channels, sent, freeze, send } = rig();
    const [first, second, third] = [freeze('ops'), freeze('ops'), freeze('rest')];
    channels.prepare([row('ops', 'aa', 's2'), row('rest', 'rr')]).swap();
    expect((await send(first)).is).to.equal('answered');
    channels.prepare([row('ops', 'bb', 's2')]).swap();
    for (const late of [second, third])
      expect(await send(late))
        .to.include({ is: 'not-sent', moved: true })
        .and.to.have.property('why')
        .that.includes('changed or removed');
    expect(sent).to.deep.equal(['ops>aa/s2']);
    expect(() => freeze('rest'))
      .to.throw()
      .with.property('code', 'BAILING_CHANNEL_UNKNOWN');
  });
});
