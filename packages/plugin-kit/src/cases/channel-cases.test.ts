import type { Channel, ChannelKind, ChannelRow, PartSent } from '@bailing/plugin-api';
import { proveCases, type Broken } from '../test-support/prove.js';
import { channelCases, type ChannelSetup } from '../index.js';

const SCHEMA = {
  type: 'object',
  properties: { mode: { type: 'string' }, token: { type: 'string', writeOnly: true } },
  additionalProperties: false,
};
const row = (mode: string): ChannelRow => ({ name: 'test', kind: 'memory', config: { mode, token: 'hidden-value' } });

/** A channel into memory; `more` breaks one thing of it. */
function setup(more: Partial<Channel<string>> = {}, kind: Partial<ChannelKind> = {}, taken = { parts: 0 }): ChannelSetup {
  const answers: Record<string, PartSent> = { silent: { is: 'unknown', why: 'no answer' }, refusing: { is: 'refused', why: 'no' } };
  const open = ({ config }: ChannelRow): Channel<string> => ({
    prepare: ({ text }) => Promise.resolve([{ says: 'text', body: text }]),
    deliver: () => {
      const other = answers[String(config.mode)];
      if (!other) taken.parts += 1;
      return Promise.resolve(other ?? { is: 'accepted' });
    },
    ...more,
  });
  return {
    kind: { row: SCHEMA, open, ...kind },
    row: row('good'),
    received: () => taken.parts,
    silent: row('silent'),
    refusing: row('refusing'),
  };
}

const never = new Promise<never>(() => undefined);
const counter = { parts: 0 };

const broken: readonly Broken<ChannelSetup>[] = [
  ['shows its secret', 'write-only', () => setup({}, { row: { ...SCHEMA, properties: { token: { type: 'string' } } } })],
  [
    'connects when it is opened',
    'without reaching',
    () => setup({}, { open: () => (void globalThis.fetch('http://127.0.0.1:9').catch(() => 0), setup().kind.open(row('good'))) }),
  ],
  [
    'delivers while it splits',
    'reaches nobody',
    () => setup({ prepare: () => (counter.parts++, Promise.resolve([{ says: 'text', body: '' }])) }, {}, counter),
  ],
  [
    'delivers twice',
    'delivers each part once',
    () => setup({ deliver: () => ((counter.parts += 2), Promise.resolve({ is: 'accepted' })) }, {}, counter),
  ],
  [
    'changes the message',
    'does not change',
    () => setup({ prepare: (message) => (Reflect.set(message, 'text', ''), Promise.resolve([{ says: 'x', body: '' }])) }),
  ],
  ['hangs when it is aborted', 'comes to an end', () => setup({ deliver: () => never })],
  ['calls silence success', 'never came unknown', () => setup({ deliver: () => Promise.resolve({ is: 'accepted' }) })],
  [
    'tells its secret',
    'in words without a secret',
    () => setup({ deliver: () => Promise.resolve({ is: 'refused', why: 'hidden-value is wrong' }) }),
  ],
];

describe('the cases of a channel', () => {
  proveCases(channelCases, { 'a channel into memory': () => setup() }, broken);
});
