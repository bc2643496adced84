import type { ModelMessage } from '@bailing/plugin-api';
import { expect } from 'chai';
import { freeze, STATE_CHARS, thaw, type LoopState } from './memory.js';

function stateOf(messages: readonly ModelMessage[]): LoopState {
  const rest = {
    used: 1,
    fetched: ['a'],
    repaired: false,
    emptyAsked: true,
    usage: { inputTokens: 1, outputTokens: 2 },
    approvedNote: null,
  };
  return { round: 3, messages, ...rest, tally: { made: 1, sent: 1, pending: [] } };
}
const result = (size: number): ModelMessage => ({ role: 'tool', callId: 'c', name: 't', content: 'x'.repeat(size) });

describe('the saved state of a loop', () => {
  it('is read back as it was', () => {
    const state = stateOf([{ role: 'user', content: 'zero \u0000 and 😀' }, result(10)]);
    expect(thaw(freeze(state))).to.deep.include(state);
  });

  it('cuts the oldest answers of tools first, says so, and stays within its size', () => {
    const text = freeze(stateOf([result(STATE_CHARS / 2), result(STATE_CHARS / 2), result(500)]));
    expect(text?.length).to.be.at.most(STATE_CHARS);
    const sizes = thaw(text)?.messages.map(({ content }) => content.length) ?? [];
    expect(sizes.slice(1)).to.deep.equal([STATE_CHARS / 2, 500]);
    expect(thaw(text)?.messages[0]?.content).to.match(/^x{200}… \[cut by the hub/);
  });

  it('is nothing where there is nothing to cut, and nothing where it is not whole', () => {
    expect(freeze(stateOf([{ role: 'user', content: 'x'.repeat(STATE_CHARS) }]))).to.equal(null);
    for (const broken of [null, '', '[]', '{"version":2}', '{"version":1,"messages":[]}', 'null'])
      expect(thaw(broken), String(broken)).to.equal(null);
  });
});
