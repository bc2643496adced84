import { expect } from 'chai';
import fc from 'fast-check';
import { numbered, split } from './split.js';

const bytes = (text: string) => Buffer.byteLength(text);

describe('the text of a WeCom message', () => {
  it('stays whole up to 1900 bytes, and is numbered beyond', () => {
    const fits = '中'.repeat(633);
    expect(bytes(fits)).to.equal(1_899);
    expect(numbered(fits)).to.deep.equal([fits]);
    const parts = numbered(`${fits}文字`);
    expect(parts).to.have.length(2);
    expect(parts[0]).to.equal(`（1/2）\n${fits}`);
    expect(parts[1]).to.equal('（2/2）\n文字');
  });

  it('is cut between paragraphs, else between lines, else between characters', () => {
    expect(split('aaaaaa\n\nbbb\nccc', 12)).to.deep.equal(['aaaaaa', 'bbb\nccc']);
    expect(split('aaaaaa\nbbb ccc', 12)).to.deep.equal(['aaaaaa', 'bbb ccc']);
    expect(split('😀😀😀😀', 9)).to.deep.equal(['😀😀', '😀😀']);
    expect(split('a\n\nbbbbbbbbbbbbbb', 8)).to.deep.equal(['a\n\nbbbbb', 'bbbbbbbb', 'b']);
  });

  it('loses nothing but line ends at its borders, and never half of a character', () => {
    const letters = fc.array(fc.constantFrom('a', '中', '😀', '\n', '\n\n', 'é'), { maxLength: 400 }).map((all) => all.join(''));
    fc.assert(
      fc.property(letters, fc.integer({ min: 4, max: 60 }), (text, max) => {
        const parts = split(text, max);
        const bare = (one: string) => one.replaceAll('\n', '');
        expect(parts.every((part) => bytes(part) <= max && part.isWellFormed())).to.equal(true);
        expect(bare(parts.join(''))).to.equal(bare(text));
      }),
    );
  });
});
