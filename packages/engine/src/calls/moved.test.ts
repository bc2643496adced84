import { expect } from 'chai';
import { againWhereMoved } from './call.js';
import type { CallResult } from './result.js';

const result = (code?: CallResult['code']): CallResult => ({
  ok: code === undefined,
  text: '',
  status: 0,
  sent: false,
  ...(code && { code }),
});

describe('a message whose channel changed before it left', () => {
  it('goes through the exit once more, and not a third time; nothing else is repeated', async () => {
    const run = async (...codes: readonly CallResult['code'][]) => {
      let runs = 0;
      const { code } = await againWhereMoved(() => Promise.resolve(result(codes[runs++])));
      return [runs, code];
    };
    expect(await run('BAILING_CHANNEL_CHANGED', undefined)).to.deep.equal([2, undefined]);
    expect(await run('BAILING_CHANNEL_CHANGED', 'BAILING_CHANNEL_CHANGED', undefined)).to.deep.equal([2, 'BAILING_CHANNEL_CHANGED']);
    for (const code of ['BAILING_CALL_NOT_SENT', 'BAILING_CALL_UNKNOWN', undefined] as const)
      expect(await run(code)).to.deep.equal([1, code]);
  });
});
