import { expect } from 'chai';
import fc from 'fast-check';
import { protocolMarker } from './protocol.js';
import { StreamGuard } from './stream-guard.js';

/** What is shown of a text that arrives in pieces, cut at the given places. */
function shown(text: string, cuts: readonly number[] = []): string {
  const guard = new StreamGuard();
  const places = [...new Set(cuts.filter((cut) => cut > 0 && cut < text.length))].sort((a, b) => a - b);
  const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
  const passed = pieces.map((piece) => guard.push(piece)).join('');
  return guard.closed ? passed : passed + guard.end();
}
const everyCharacter = (text: string): number[] => Array.from({ length: text.length }, (_, at) => at);

const MARKUP = [
  '<｜DSML｜function_calls>',
  '<| DSML |invoke name="x">',
  '<|tool_calls|>',
  '<｜tool▁calls▁begin｜>',
  '<tool_call>\n{"name":"x"}',
  '<tool_call><function=x>',
  '<function_calls>\n<invoke name="x">',
];

describe('the guard over a stream (WIRE §11.5)', () => {
  it('shows nothing of markup, wherever the text is cut', () => {
    for (const markup of MARKUP) {
      const text = `It is ready. ${markup} and more`;
      expect(shown(text), markup).to.equal('It is ready. ');
      expect(shown(text, everyCharacter(text)), markup).to.equal('It is ready. ');
      for (const cut of everyCharacter(text)) expect(shown(text, [cut]), `${markup} cut at ${String(cut)}`).to.equal('It is ready. ');
    }
  });

  it('shows prose as it is, quoted tags and comparisons included', () => {
    const prose = [
      'a < b and b > c',
      'Use `<tool_call>{}` in XML, `<function_calls><invoke>` too',
      'the <tool_call> tag',
      '```xml\n<function_calls><invoke name="x">\n```\nand <b>bold</b>',
      'ends with <',
      `${'<'.repeat(300)} ${'x'.repeat(200)}`,
    ];
    for (const text of prose) {
      expect(shown(text), text).to.equal(text);
      expect(shown(text, everyCharacter(text)), text).to.equal(text);
    }
  });

  it('finds DeepSeek markup in code quotes as well', () => {
    expect(shown('```\n<｜DSML｜x')).to.equal('```\n');
    expect(shown('`<|tool_calls|><｜DSML｜x>`')).to.equal('`');
  });

  it('holds a tag back for 96 characters at most', () => {
    const guard = new StreamGuard();
    expect(guard.push('see <a')).to.equal('see ');
    expect(guard.push('x'.repeat(93))).to.equal('');
    expect(guard.push('x')).to.equal(`<a${'x'.repeat(94)}`);
  });

  it('never shows markup that the whole text is refused for, and never holds back a clean text', () => {
    const piece = fc.constantFrom(
      ...MARKUP,
      '<',
      '>',
      '`',
      '```',
      '\n',
      ' ',
      'a',
      '<b>',
      'tool_call',
      '{',
      '|',
      'DSML',
      '<tool_call>',
      '<invoke',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 12 }), (parts, cuts) => {
        const text = parts.join('');
        const seen = shown(text, cuts);
        expect(text.startsWith(seen)).to.equal(true);
        expect(protocolMarker(seen)).to.equal(null);
      }),
      { numRuns: 400 },
    );
  });
});
