import os from 'node:os';
import type { Kind, Parsed } from './parsed.js';

/**
 * Runs in a process of its own, without an environment: document on standard input, one JSON line on standard output. Whatever goes wrong here, a loop, a
 * bomb, a parser's fault, ends this process and nothing else.
 */
async function main(kind: Kind, maxChars: number, maxPages: number): Promise<void> {
  // Where processors are short, the hub goes first.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const parsed = kind === 'pdf' ? await pdf(bytes, maxChars, maxPages) : await docx(bytes, maxChars);
  process.stdout.write(JSON.stringify(parsed), () => process.exit(0));
}

/** Page by page until there is enough, in growing steps. */
async function pdf(bytes: Buffer, maxChars: number, maxPages: number): Promise<Parsed> {
  const { PDFParse } = await import('pdf-parse');
  const parser = new PDFParse({
    data: new Uint8Array(bytes),
    verbosity: 0,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    stopAtErrors: false,
  });
  try {
    let text = '';
    let total = 1;
    for (let page = 1, step = 1; page <= Math.min(total, maxPages) && text.length < maxChars; page += step, step = Math.min(step * 2, 16)) {
      const partial = Array.from({ length: step }, (_, n) => page + n);
      const read = await parser.getText({ partial, pageJoiner: '', lineEnforce: true });
      total = read.total;
      text += read.pages.map((one) => `${one.text.trim()}\n`).join('');
    }
    return { is: 'read', text: text.slice(0, maxChars).trim(), pages: total };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    return { is: name === 'PasswordException' ? 'encrypted' : 'damaged' };
  }
}

async function docx(bytes: Buffer, maxChars: number): Promise<Parsed> {
  const { default: mammoth } = await import('mammoth');
  try {
    const { value } = await mammoth.extractRawText({ buffer: bytes });
    return {
      is: 'read',
      text: value
        .replace(/\n{3,}/g, '\n\n')
        .trim()
        .slice(0, maxChars),
    };
  } catch {
    return { is: 'damaged' };
  }
}

const [kind, maxChars, maxPages] = process.argv.slice(2);
await main(kind as Kind, Number(maxChars), Number(maxPages));
