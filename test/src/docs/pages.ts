import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/root.js';

/** A fenced block of a page. */
export interface Block {
  /** Line of its first line of text, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** What the last command before it prints, word for word: the page marks it with `<!-- printed -->`. */
  readonly printed: boolean;
}

export interface Page {
  /** From the folder of the project. */
  readonly file: string;
  readonly blocks: readonly Block[];
}

/** One command of a shell block, as a reader would paste it. */
export interface Command {
  readonly line: number;
  readonly text: string;
  /** HTTP status the page promises, where the command is a request; any success where it says none. */
  readonly http: number | null;
  /** Exit status the page promises. */
  readonly exit: number;
}

const SHELL = new Set(['sh', 'bash', 'shell', 'console']);

/** README and every page under docs/, generated references and examples included. */
export function allPages(): readonly Page[] {
  const inDocs = fs.readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => path.join('docs', name));
  return ['README.md', ...inDocs.sort()].filter((file) => file.endsWith('.md') && !file.includes('node_modules')).map(readPage);
}

export function readPage(file: string): Page {
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\w*)/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const first = at + 1;
    const printed = lines.slice(0, at).findLast((line) => line !== '') === '<!-- printed -->';
    for (at = first; at < lines.length && !lines[at]?.startsWith('```');) at += 1;
    blocks.push({ line: first + 1, language, text: lines.slice(first, at).join('\n'), printed });
  }
  return { file, blocks };
}

export const isShell = (block: Block): boolean => SHELL.has(block.language);

/** Files a page shows: blocks whose first line is a comment that holds nothing but a file name. */
export function filesOf(page: Page): ReadonlyMap<string, string> {
  const named = page.blocks.flatMap(({ text }) => {
    const name = /^(?:#|\/\/) (\.{0,2}[\w./-]+\.\w+)$/.exec(text.split('\n')[0] ?? '')?.[1];
    return name === undefined ? [] : ([[name, `${text}\n`]] as const);
  });
  return new Map(named);
}

/** The commands of a block: one a line, unless a quote is open or the line ends with `\`. Of a console, what stands behind `$`. */
export function commandsOf({ line, language, text }: Block): readonly Command[] {
  const rows = text.split('\n').map((row) => (language !== 'console' ? row : row.startsWith('$ ') ? row.slice(2) : ''));
  const found: Command[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const first = at;
    let whole = rows[at] ?? '';
    while (at + 1 < rows.length && goesOn(whole)) whole += `\n${rows[(at += 1)] ?? ''}`;
    const { code, comment } = parted(whole);
    if (code.trim() !== '') found.push({ line: line + first, text: code.trim(), ...promised(comment) });
  }
  return found;
}

function goesOn(text: string): boolean {
  return text.endsWith('\\') || parted(text).open;
}

/** Code and the comment behind it, as a shell reads them. */
function parted(text: string): { readonly code: string; readonly comment: string; readonly open: boolean } {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '#' && /^$|\s/.test(text.charAt(at - 1)))
      return { code: text.slice(0, at), comment: text.slice(at + 1), open: false };
  }
  return { code: text, comment: '', open: quote !== '' };
}

function promised(comment: string): { readonly http: number | null; readonly exit: number } {
  const http = /^ ([1-5]\d\d)\b/.exec(comment)?.[1];
  return { http: http === undefined ? null : Number(http), exit: Number(/\bexit (\d)\b/.exec(comment)?.[1] ?? 0) };
}
