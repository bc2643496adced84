import { createConnection, createServer, type AddressInfo } from 'node:net';
import type { Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import { expect } from 'chai';
import { conformance, gateCases } from '../index.js';
import { proveCases } from '../test-support/prove.js';
import { withoutNetwork } from './watch.js';

const allow: Verdict = { is: 'allow' };
const byAmount: Gate = {
  judge: ({ args }) => (Number(args['amount']) > 100 ? { is: 'deny', code: 'too_much', reason: 'It is too much.' } : allow),
};
const gate = (judge: (call: GovernedCall, signal: AbortSignal) => unknown): Gate => ({ judge: judge as Gate['judge'] });

function stateful(): Gate {
  let last = 0;
  return {
    judge: async ({ args }) => {
      last = Number(args['amount']);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return last > 100 ? { is: 'deny', code: 'too_much', reason: 'It is too much.' } : allow;
    },
  };
}

function counting(): Gate {
  let calls = 0;
  return { judge: () => (++calls > 20 ? { is: 'deny', code: 'too_often', reason: 'It was asked too often.' } : allow) };
}

describe('the cases of gates', () => {
  proveCases<Gate>(
    gateCases,
    {
      'a gate by argument': () => byAmount,
      'a gate that holds': () => gate(() => ({ is: 'hold', policy: 'four-eyes', reason: 'Two people look at it.' })),
      'a gate that answers later': () => gate(async (call) => Promise.resolve(byAmount.judge(call, new AbortController().signal))),
    },
    [
      ['answers nothing', 'a whole verdict', () => gate(() => undefined)],
      ['answers true', 'a whole verdict', () => gate(() => true)],
      ['says maybe', 'a whole verdict', () => gate(() => ({ is: 'maybe' }))],
      ['denies without a reason', 'a whole verdict', () => gate(() => ({ is: 'deny', code: 'no' }))],
      ['holds under no policy', 'a whole verdict', () => gate(() => ({ is: 'hold', policy: '', reason: 'Because.' }))],
      ['gives a sentence for a code', 'a whole verdict', () => gate(() => ({ is: 'deny', code: 'Not today', reason: 'Because.' }))],
      [
        'throws where an argument is missing',
        'instead of throwing',
        () => gate(({ args }) => ((args['order'] as string).length > 5 ? allow : allow)),
      ],
      ['never answers', 'a whole verdict', () => gate(() => new Promise(() => undefined))],
      ['counts', 'counts nothing', counting],
      ['throws dice', 'the same verdict', () => gate(() => ({ is: 'deny', code: 'no', reason: `Dice say ${Math.random()}.` }))],
      ['keeps the last call', 'as it would alone', stateful],
      ['rewrites an argument', 'does not change the call', () => gate(({ args }) => (Reflect.set(args, 'amount', 1), allow))],
      [
        'waits forever once aborted',
        'signal is aborted',
        () => gate((_call, signal) => (signal.aborted ? new Promise(() => undefined) : allow)),
      ],
      [
        'asks a server',
        'reaches nothing outside',
        () =>
          gate(async () => {
            await fetch('http://127.0.0.1:9/').catch(() => undefined);
            return allow;
          }),
      ],
      [
        'opens a connection',
        'reaches nothing outside',
        () =>
          gate(() => {
            createConnection({ host: '127.0.0.1', port: 9 }).on('error', () => undefined);
            return allow;
          }),
      ],
    ],
  );

  it('leave the network as it was', async () => {
    await withoutNetwork(() => Promise.resolve()).catch(() => undefined);
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const socket = createConnection({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    const heard = await new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
    await new Promise((resolve) => server.close(resolve));
    expect(heard).to.equal('hello');
  });
});

describe('a gate that is declared to conform', () => {
  conformance.gate(() => byAmount);
});
