import { BailingError, type InputHandler } from '@bailing/plugin-api';
import { expect } from 'chai';
import { auditUrl, linksOf, wordsBeside } from './links.js';
import { Readers, type Reader } from './readers.js';
import { sniff } from './sniff.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('what a user’s words link to', () => {
  it('is sorted by medium, at most twenty of each, each address once', () => {
    const text = `![a](https://x/a.png) [文件：规定](https://x/b) [语音：留言](https://x/c) [song](https://x/d.mp3) [page](https://x/e) ![a](https://x/a.png)`;
    const links = linksOf(text);
    expect([links.image, links.file, links.audio].map((of) => of.map(({ name }) => name))).to.deep.equal([
      ['a'],
      ['文件：规定'],
      ['语音：留言', 'song'],
    ]);
    const many = linksOf(Array.from({ length: 30 }, (_, n) => `[f](https://x/${String(n)}.txt)`).join(' '));
    expect([many.file.length, many.beyond]).to.deep.equal([20, 10]);
  });

  it('has names without anything that breaks out of a line, and addresses that are some', () => {
    const [file] = linksOf('[<b>"x"</b>](https://x/report.pdf) [](https://x/%E8%A7%84%E5%AE%9A.pdf)').file;
    expect(file?.name).to.equal(' b  x  /b ');
    expect(linksOf('[](https://x/%E8%A7%84%E5%AE%9A.pdf)').file[0]?.name).to.equal('规定.pdf');
    expect(linksOf('[a](http://[/a.pdf)').file).to.deep.equal([]);
  });

  it('leaves the words beside', () => {
    const text = '  [voice](https://x/a.mp3)\n**[语音](https://x/b.mp3)**';
    expect(wordsBeside(text, linksOf(text).audio)).to.equal('');
    expect(wordsBeside(`${text} please`, linksOf(text).audio)).to.equal('please');
  });

  it('is audited without the query, where links to storage carry their permission', () => {
    expect(auditUrl('https://x/a.pdf?sig=1#p')).to.equal('https://x/a.pdf?…');
    expect(auditUrl('https://u:p@x/a.pdf')).to.equal('https://x/a.pdf');
  });
});

describe('the type of bytes', () => {
  it('is told from the bytes, whatever the name says', () => {
    const cases: [string, string, string][] = [
      ['%PDF-1.7', 'a.txt', 'application/pdf'],
      ['junk before\n%PDF-1.4', 'a.txt', 'application/pdf'],
      ['\x89PNG\r\n\x1a\n', 'a.pdf', 'image/png'],
      ['\xff\xd8\xff\xe0', '', 'image/jpeg'],
      ['RIFF\0\0\0\0WEBP', '', 'image/webp'],
      ['RIFF\0\0\0\0WAVE', '', 'audio/wav'],
      ['\0\0\0\x20ftypM4A ', '', 'audio/mp4'],
      ['\0\0\0\x20ftypisom', '', 'video/mp4'],
      ['ID3\x03', '', 'audio/mpeg'],
      ['\xff\xfb\x90\x64\0', '', 'audio/mpeg'],
      ['\xff\xf1\x50\x80\0\0\0\0', '', 'audio/aac'],
      ['OggS', '', 'audio/ogg'],
      [
        'PK\x03\x04[Content_Types].xml word/document.xml',
        'a.zip',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
      ['PK\x03\x04[Content_Types].xml xl/workbook.xml', 'a.docx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['PK\x03\x04[Content_Types].xml', 'cut.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['PK\x03\x04[Content_Types].xml', 'cut.jar', 'application/zip'],
      ['PK\x03\x04[Content_Types].xml PK\x05\x06', 'other.docx', 'application/zip'],
      ['PK\x03\x04word/ no types', 'a.docx', 'application/zip'],
      ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'a.docx', 'application/x-ole-storage'],
      ['\x7fELF\x02\x01\x01\0\0\0\0\0\0', 'a.txt', 'application/octet-stream'],
    ];
    for (const [begin, name, type] of cases) expect(sniff(bytes(begin), name), type).to.equal(type);
  });

  it('of text goes by the name, also in UTF-16 and in Chinese', () => {
    expect(sniff(bytes('a,b\n'), 'x.CSV')).to.equal('text/csv');
    expect(sniff(Buffer.from('规定'), 'x')).to.equal('text/plain');
    expect(sniff(bytes('\xff\xfea\0b\0'), 'x.md')).to.equal('text/markdown');
    expect(sniff(Buffer.from('plain', 'utf16le'), 'x.txt')).to.equal('text/plain');
    expect(sniff(bytes('  <!DOCTYPE html><p>'), 'x')).to.equal('text/html');
    expect(sniff(bytes('\xb9\xe6\xb6\xa8'), 'x.log')).to.equal('text/plain');
  });
});

describe('who reads a media type', () => {
  const reader = (plugin: string, accepts: string[], medium: InputHandler['medium'] = 'file'): Reader => ({
    plugin,
    handler: { medium, accepts, read: () => Promise.resolve({ is: 'text', text: plugin }) },
  });
  const code = (make: () => unknown): string => {
    try {
      make();
      return 'fine';
    } catch (error) {
      return error instanceof BailingError ? error.code : String(error);
    }
  };
  const files = reader('input-file', ['text/*', 'application/pdf']);
  const calendar = reader('input-calendar', ['text/calendar']);

  it('is the handler of the medium that accepts it', () => {
    const readers = new Readers([files, reader('input-image', ['image/*'], 'image')]);
    expect(readers.of('file', 'text/csv')).to.equal(files.handler);
    expect(readers.of('file', 'image/png')).to.equal(undefined);
    expect(readers.of('image', 'image/png')?.medium).to.equal('image');
  });

  it('needs the operator’s choice where two do', () => {
    expect(code(() => new Readers([files, calendar]))).to.equal('BAILING_INPUT_AMBIGUOUS');
    expect(code(() => new Readers([files, files], { 'text/*': 'input-file' }))).to.equal('BAILING_INPUT_AMBIGUOUS');
    const chosen = new Readers([files, calendar], { 'text/calendar': 'input-calendar' });
    expect(chosen.of('file', 'text/calendar')).to.equal(calendar.handler);
    expect(chosen.of('file', 'text/csv')).to.equal(files.handler);
    const kept = new Readers([calendar, files], { 'text/calendar': 'input-file' });
    expect(kept.of('file', 'text/calendar')).to.equal(files.handler);
  });

  it('refuses a choice of somebody who does not read it, and a handler that names no media type', () => {
    expect(code(() => new Readers([files], { 'audio/wav': 'input-file' }))).to.equal('BAILING_CONFIG_INVALID');
    expect(code(() => new Readers([reader('x', [])]))).to.equal('BAILING_CONFIG_INVALID');
    expect(code(() => new Readers([reader('x', ['.csv'])]))).to.equal('BAILING_CONFIG_INVALID');
    expect(code(() => new Readers([reader('x', ['a/b'], 'smell' as 'file')]))).to.equal('BAILING_CONFIG_INVALID');
  });
});
