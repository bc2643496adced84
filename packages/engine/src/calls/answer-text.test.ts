import { expect } from 'chai';
import fc from 'fast-check';
import { recordedOf } from './answer-text.js';

const answer = (status: number, body: string, contentType = 'application/json') => ({
  status,
  body,
  contentType,
  bytes: Buffer.byteLength(body),
});

describe('what a brain reads of an answer', () => {
  it('counts 200 to 299 as success and nothing else', () => {
    const ok = (status: number) => recordedOf(answer(status, 'x'), 100).ok;
    expect([199, 200, 299, 300, 304, 404, 500].map(ok)).to.deep.equal([false, true, true, false, false, false, false]);
  });

  it('passes a success through unchanged and notes an empty one', () => {
    expect(recordedOf(answer(200, '{"ok":false}'), 100)).to.deep.equal({ ok: true, status: 200, text: '{"ok":false}' });
    expect(recordedOf(answer(204, ''), 100).text).to.include('without a body');
  });

  it('never shows an HTML error page and cuts long failure texts', () => {
    expect(recordedOf(answer(500, '<html>secret stack</html>', 'text/html'), 9_000).text).to.not.include('secret');
    expect(recordedOf(answer(500, '<!DOCTYPE html><p>secret', ''), 9_000).text).to.not.include('secret');
    expect(recordedOf(answer(400, 'x'.repeat(5_000)), 9_000).text.length).to.be.below(2_100);
  });

  it('stays valid UTF-8 within the byte budget and says when it was cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 80, max: 300 }), (part, max) => {
        const { text } = recordedOf(answer(200, part.repeat(200)), max);
        expect(Buffer.byteLength(text)).to.be.at.most(max);
        expect(text.isWellFormed()).to.equal(true);
        if (Buffer.byteLength(part.repeat(200)) > max && part.trim() !== '') expect(text).to.include('[cut');
      }),
    );
  });
});
