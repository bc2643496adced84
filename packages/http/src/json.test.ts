import { expect } from 'chai';
import { readJson } from './json.js';

const read = (text: string) => readJson(Buffer.from(text));

describe('bodies of many megabytes', () => {
  it('are read with texts of any length, and refused with the place of what is wrong', () => {
    const value = { plain: 'x'.repeat(12_000_000), escaped: '\\"\n'.repeat(1_000_000) };
    const text = JSON.stringify(value);
    expect(read(text)).to.deep.equal(value);
    expect(() => read(text.slice(0, -1))).to.throw(`at character ${String(text.length - 1)}`);
    expect(() => read(`{"a":"${'x'.repeat(12_000_000)}\n"}`)).to.throw('not JSON (at character 5)');
    expect(() => read(`{"a":"${'x'.repeat(12_000_000)}","a" : 1}`)).to.throw('twice');
  });
});
