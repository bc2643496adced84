import assert from 'node:assert/strict';
import type { Channel, ChannelContext, ChannelKind, ChannelMessage, ChannelPart, ChannelRow, PartSent } from '@bailing/plugin-api';
import { freezeDeep } from '../freeze.js';
import type { Case } from './case.js';
import { assertText, unchanged, within, withoutNetwork } from './watch.js';

/** What the cases need of an author: a kind, a row for a receiver that takes everything, and how much that receiver has taken. */
export interface ChannelSetup {
  readonly kind: ChannelKind;
  readonly row: ChannelRow;
  /** Parts the receiver has got so far. */
  readonly received: () => number | Promise<number>;
  /** A row whose receiver takes a part and then goes away without an answer. */
  readonly silent?: ChannelRow;
  /** A row whose receiver says no to everything, before it takes anything. */
  readonly refusing?: ChannelRow;
  /** What to send; a text to two recipients where absent. */
  readonly message?: ChannelMessage;
}

const MESSAGE: ChannelMessage = freezeDeep({
  recipients: ['u1@example.com', 'u2@example.com'],
  text: 'Your order is on its way.',
  images: [],
  files: [],
});
const MAX_PARTS = 200;
const SECRET_NAME = /secret|token|password|api_?key|private_?key/i;

/** What every channel keeps: nothing leaves before a part is delivered, a part goes out once, and nobody is told of success that was none. */
export const channelCases: readonly Case<ChannelSetup>[] = [
  {
    title: 'declares its row as an object that refuses what it does not know, its secrets write-only',
    check: async (make) => {
      const { row } = (await make()).kind;
      assert.ok(typeof row === 'object' && row.type === 'object' && row.additionalProperties === false, 'a row is a closed object');
      for (const [name, schema] of Object.entries((row.properties ?? {}) as Record<string, { writeOnly?: unknown }>))
        if (SECRET_NAME.test(name)) assert.equal(schema.writeOnly, true, `${name} looks like a secret and is not writeOnly`);
    },
  },
  {
    title: 'opens a row without reaching for the network',
    check: async (make) => {
      const { kind, row } = await make();
      await withoutNetwork(async () => void (await kind.open(row).close?.()));
    },
  },
  {
    title: 'splits a message into parts that say what they are, and reaches nobody while it does',
    check: async (make, patienceMs) => {
      const setup = await make();
      const before = await setup.received();
      const parts = await prepared(open(setup), setup, patienceMs);
      assert.ok(parts.length >= 1 && parts.length <= MAX_PARTS, 'a message has 1 to 200 parts');
      for (const { says } of parts) assertText(says, 'what a part says', 120);
      assert.equal(await setup.received(), before, 'something was delivered before a part was asked for');
    },
  },
  {
    title: 'delivers each part once',
    check: async (make, patienceMs) => {
      const setup = await make();
      const channel = open(setup);
      const parts = await prepared(channel, setup, patienceMs);
      for (const [index, part] of parts.entries()) {
        const before = await setup.received();
        const sent = await within(patienceMs, channel.deliver(part, contextOf()), 'a delivery');
        assert.equal(assertSent(sent).is, 'accepted', `part ${String(index + 1)} was not accepted by a receiver that takes everything`);
        assert.equal((await setup.received()) - before, 1, 'a part reached the receiver other than once');
      }
    },
  },
  {
    title: 'does not change the message',
    check: async (make) => {
      const setup = await make();
      await unchanged(setup.message ?? MESSAGE, (message) => open(setup).prepare(message, contextOf()));
    },
  },
  {
    title: 'comes to an end when its signal is aborted',
    check: async (make, patienceMs) => {
      const setup = await make();
      const channel = open(setup);
      const [part] = await prepared(channel, setup, patienceMs);
      if (part)
        await within(patienceMs, Promise.allSettled([channel.deliver(part, contextOf(AbortSignal.abort()))]), 'an aborted delivery');
    },
  },
  {
    title: 'calls a part whose answer never came unknown, not sent and not refused',
    check: async (make, patienceMs) => {
      const setup = await make();
      if (!setup.silent) return;
      const ended = await outcome(setup, setup.silent, patienceMs);
      assert.equal(ended.is, 'unknown', 'a receiver that went away may have got it');
      assertNoSecret(setup, setup.silent, ended);
    },
  },
  {
    title: 'tells a no of the receiver as one, in words without a secret',
    check: async (make, patienceMs) => {
      const setup = await make();
      if (!setup.refusing) return;
      const ended = await outcome(setup, setup.refusing, patienceMs);
      assert.equal(ended.is, 'refused', 'a receiver that said no has not got it');
      assertNoSecret(setup, setup.refusing, ended);
    },
  },
];

function open({ kind, row }: ChannelSetup): Channel {
  return kind.open(row);
}

function contextOf(signal: AbortSignal = new AbortController().signal): ChannelContext {
  const at = Date.now();
  return { job: '11111111-2222-4333-8444-555555555555', key: 'a'.repeat(64), at, sendBy: at + 60_000, signal };
}

function prepared(channel: Channel, { message = MESSAGE }: ChannelSetup, patienceMs: number): Promise<readonly ChannelPart[]> {
  return within(patienceMs, channel.prepare(message, contextOf()), 'the parts of a message');
}

/** How the first part ends; a throw of `prepare` is a no, a throw of `deliver` is unknown. */
async function outcome(setup: ChannelSetup, row: ChannelRow, patienceMs: number): Promise<PartSent> {
  const channel = setup.kind.open(row);
  let parts: readonly ChannelPart[];
  try {
    parts = await prepared(channel, setup, patienceMs);
  } catch (error) {
    return { is: 'refused', why: error instanceof Error ? error.message : 'failed' };
  }
  const [part] = parts;
  assert.ok(part, 'a message has at least one part');
  const unknown = (error: unknown): PartSent => ({ is: 'unknown', why: error instanceof Error ? error.message : 'failed' });
  return within(patienceMs, channel.deliver(part, contextOf()).catch(unknown), 'a delivery');
}

function assertSent(sent: PartSent): PartSent {
  if (sent.is === 'accepted') {
    for (const one of sent.refused ?? []) assert.equal(typeof one, 'string', 'a refused recipient is named');
    return sent;
  }
  assert.ok(sent.is === 'refused' || sent.is === 'unknown', 'a part is accepted, refused or unknown');
  assertText(sent.why, 'the reason', 1_000);
  return sent;
}

function assertNoSecret({ kind }: ChannelSetup, row: ChannelRow, sent: PartSent): void {
  const properties = ((typeof kind.row === 'object' && kind.row.properties) || {}) as Record<string, { writeOnly?: unknown }>;
  for (const [name, value] of Object.entries(row.config))
    if (properties[name]?.writeOnly === true && typeof value === 'string' && sent.is !== 'accepted')
      assert.ok(!sent.why.includes(value), `the value of ${name} stands in the reason`);
}
