import type { InputReading, Material } from '@bailing/plugin-api';
import { expect } from 'chai';
import { Parsers, type ParserLimits } from './documents/parsers.js';
import { oversizedZip } from './documents/zip-directory.js';
import { DOCX, fileHandler } from './handler.js';
import { aDocx, aPdf, aZip, docxParts, ENCRYPTED, pageBomb } from './test-support/papers.js';

const LIMITS: ParserLimits = { cpuSeconds: 10, heapMb: 256, wallMs: 45_000, atOnce: 2, maxPages: 100 };

describe('reading files', function () {
  this.timeout(60_000);
  const parsers = new Parsers(LIMITS);
  after(() => parsers.close());

  function read(bytes: Buffer, mediaType: string, maxChars = 24_000, by = parsers): Promise<InputReading> {
    const material: Material = { index: 0, name: 'a', mediaType, bytes };
    return fileHandler(by).read({ mode: 'extract', materials: [material], maxChars }, new AbortController().signal);
  }

  it('gives the text of a PDF with its pages, and of a DOCX', async () => {
    const [pdf, docx] = await Promise.all([
      read(aPdf(['Refunds within 7 days', 'Second page']), 'application/pdf'),
      read(aDocx(['退款规定', 'Refunds within 7 days']), DOCX),
    ]);
    expect(pdf).to.deep.equal({ is: 'text', text: 'Refunds within 7 days\nSecond page', parser: 'pdf', pages: 2 });
    expect(docx).to.deep.equal({ is: 'text', text: '退款规定\n\nRefunds within 7 days', parser: 'docx' });
  });

  it('says of a scan that no text was found, and of an encrypted or a damaged document what it is', async () => {
    const whole = aPdf(['x']);
    const says = async (bytes: Buffer, type = 'application/pdf') => {
      const reading = await read(bytes, type);
      return reading.is === 'text' ? reading.text : `${reading.is}: ${reading.says}`;
    };
    const found = await Promise.all([
      says(aPdf([Buffer.from('789c030000000001', 'hex')])),
      says(aPdf(['x'], ENCRYPTED)),
      says(Buffer.concat([whole.subarray(0, 9), Buffer.from('nonsense')])),
      says(aDocx(['x']).subarray(0, 200), DOCX),
      says(aZip([{ name: 'word/other.xml', content: 'x' }]), DOCX),
    ]);
    expect(found).to.deep.equal([
      'nothing: no text was found in it; it may be a scan.',
      'failed: it is encrypted.',
      'failed: it is cut off or damaged.',
      'failed: it is cut off or damaged.',
      'failed: it is cut off or damaged.',
    ]);
  });

  it('ends a bomb by its limits, at the cost of that file only', async () => {
    const tight = new Parsers({ ...LIMITS, cpuSeconds: 1, heapMb: 64 });
    const lying = docxParts(['x']).map((part) =>
      part.name === 'word/document.xml' ? { ...part, content: Buffer.alloc(30 * 1_048_576, ' <a/>'), claims: 900 } : part,
    );
    const bombs = await Promise.all([read(aPdf([pageBomb(40)]), 'application/pdf', 24_000, tight), read(aZip(lying), DOCX, 24_000, tight)]);
    const whole = await read(aPdf(['still here']), 'application/pdf');
    expect(bombs[0]).to.deep.equal({ is: 'failed', says: 'reading it needs more time or memory than it may have.', parser: 'pdf' });
    expect(bombs[1].is).to.equal('failed');
    expect(whole).to.include({ is: 'text', text: 'still here' });
  });

  it('refuses a zip that says itself that it is a bomb, without unpacking it', () => {
    const content = Buffer.alloc(2 * 1_048_576);
    expect(oversizedZip(aZip([{ name: 'a', content }]))).to.equal('it unfolds to more than may be read.');
    expect(oversizedZip(aZip([{ name: 'a', content: 'x', claims: 0xffffffff }]))).to.equal('it unfolds to more than may be read.');
    expect(oversizedZip(Buffer.from('PK'))).to.equal('it is cut off or damaged.');
    expect(oversizedZip(aDocx(['x']))).to.equal(null);
  });

  it('reads of a text of 20 MiB what is of use, at once', async () => {
    const large = Buffer.alloc(20_971_520, '一行文字 and some words\n');
    const begun = performance.now();
    const reading = await read(large, 'text/plain');
    expect(performance.now() - begun).to.be.below(500);
    expect(reading).to.include({ is: 'text', parser: 'text' });
    expect(reading.is === 'text' && reading.text.length)
      .to.be.above(24_000)
      .and.below(100_000);
  });

  it('ends with its signal, also while it waits for its turn', async () => {
    const one = new Parsers({ ...LIMITS, atOnce: 1 });
    const stop = new AbortController();
    const parse = () => one.parse('pdf', aPdf([pageBomb(20)]), 1_000, stop.signal);
    const both = [parse(), parse()];
    stop.abort();
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
  });
});
