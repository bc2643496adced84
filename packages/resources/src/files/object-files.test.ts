import { expect } from 'chai';
import { readObjectFiles } from './object-files.js';

const readFile = (name: string): string => {
  throw new Error(`nobody reads ${name}`);
};
const saysOf = (text: string) => readObjectFiles([{ name: 'a.json', text, readFile }], {}).problems.map(({ path, says }) => [path, says]);

describe('files of objects', () => {
  it('say of a document of another kind that it belongs elsewhere, once, and of the rest of bailing.yaml that it stays there', () => {
    for (const stray of ['{"name":"x","version":"1.0.0","scripts":{}}', '[1]', '"text"']) {
      const [[path, says], ...more] = saysOf(stray) as [[string, string]];
      expect([path, more], stray).to.deep.equal(['', []]);
      expect(says, stray).to.include('keep documents of another kind outside it');
    }
    const mixed = saysOf('{"hub":{},"clients":[],"clientz":[]}');
    expect(mixed.map(([path]) => path)).to.deep.equal(['hub', 'clientz']);
    expect(mixed[0]?.[1]).to.include('keep hub in bailing.yaml');
    expect(mixed[1]?.[1]).to.include('clientz is none of these lists').and.not.include('bailing.yaml');
    for (const fine of ['', '{}', '{"clients":[]}']) expect(saysOf(fine), fine).to.deep.equal([]);
  });
});
