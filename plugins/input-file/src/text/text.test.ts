import { expect } from 'chai';
import { decode } from './decode.js';
import { htmlText } from './html.js';

/** Chinese text as GB18030, from its bytes: node decodes that encoding and does not write it. */
const GBK = Buffer.from('c4fababbb5b5a3acd5e2cac7cdcbbfeeb9e6b6a8a1a3', 'hex');

describe('the text of bytes', () => {
  it('is read in UTF-8, UTF-16 and GB18030, told from the bytes', () => {
    const text = '退款规定: 7 days, café\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    expect(decode(Buffer.from(text), false)).to.equal(text);
    expect(decode(Buffer.from(`\uFEFF${text}`), false)).to.equal(text);
    expect(decode(Buffer.concat([Buffer.from('fffe', 'hex'), little]), false)).to.equal(text);
    expect(decode(Buffer.concat([Buffer.from('feff', 'hex'), big]), false)).to.equal(text);
    expect(decode(Buffer.from('plain words', 'utf16le'), false)).to.equal('plain words');
    expect(decode(GBK, false)).to.match(/退款规定。$/);
  });

  it('is Western European where high bytes stand alone, and no text where nothing fits', () => {
    expect(decode(Buffer.from('café, Größe, señor', 'latin1'), false)).to.equal('café, Größe, señor');
    expect(decode(Buffer.from([0x80, 0xff, 0xff, 0xfe, 0xff, 0xff]), false)).to.equal(null);
  });

  it('leaves out a character that the budget has halved', () => {
    const bytes = Buffer.from('规定');
    expect(decode(bytes.subarray(0, 5), true)).to.equal('规');
    expect(decode(GBK.subarray(0, GBK.length - 1), true)).to.match(/规定$/);
  });
});

describe('the text of HTML', () => {
  it('has lines, titles and entities, and no scripts, tags or comments', async () => {
    const html =
      '<!doctype html><html><head><title>Rules</title><style>p{}</style></head><body><h1>Re&shy;funds</h1><p>7 &lt; 8 &amp; &#36864;&#x6b3e;</p><script>alert("<p>no</p>")</script><!-- hidden <p> --><table><tr><td>a</td><td>b</td></tr></table></body></html>';
    expect((await htmlText(html)).trim()).to.equal('Rules\nRe&shy;funds\n7 < 8 & 退款\n\ta\tb');
  });

  it('keeps what only looks like a tag', async () => {
    expect(await htmlText('1 < 2, <3 and <<b>4</b></5 <')).to.equal('1 < 2, <3 and <4</5 <');
  });

  it('takes a time that grows with the text and no faster, whatever the tags', async () => {
    for (const hostile of ['<', '<!--', '<script>', '<a ', '</', '&', '<title>', '\n ']) {
      const begun = performance.now();
      await htmlText(hostile.repeat(200_000));
      expect(performance.now() - begun, hostile).to.be.below(1_500);
    }
  });

  it('leaves the hub its turns while it is long', async () => {
    let turns = 0;
    let over = false;
    const turn = (): void => void (turns++, over || setImmediate(turn));
    setImmediate(turn);
    for (const hostile of ['<', '<b>']) await htmlText(hostile.repeat(1_048_576 / hostile.length));
    over = true;
    expect(turns).to.be.above(20);
  });
});
