import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOfPackage } from './package-entry.js';

export type FoundFile = { readonly path: string } | { readonly refused: string; readonly fix: string };

const INDEXES = ['index.mjs', 'index.js', 'index.cjs', path.join('dist', 'index.js')];
const ENDINGS = ['.mjs', '.js', '.cjs'];

/** Paths start with `.`, with the root, or are file URLs; everything else is a name. */
export function isPath(use: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)/.test(use) || path.isAbsolute(use) || use.startsWith('file:');
}

/** The module behind a path: a file, a file without its ending, a folder with a package.json or an index file. */
export async function findFile(use: string, cwd: string): Promise<FoundFile> {
  const target = use.startsWith('file:') ? fileURLToPath(use) : path.resolve(cwd, use);
  const kind = await kindOf(target);
  if (kind === 'file') return asModule(target);
  if (kind === 'folder') return findInFolder(target);
  for (const ending of ENDINGS) if ((await kindOf(target + ending)) === 'file') return { path: target + ending };
  return { refused: `There is nothing at ${target}.`, fix: `Check the path; it is read from ${cwd}.` };
}

/** The entry module of a folder. */
export async function findInFolder(folder: string): Promise<FoundFile> {
  const entry = await entryOfPackage(path.join(folder, 'package.json'), (file) => readFile(file, 'utf8'));
  if (entry !== undefined && 'refused' in entry) return entry;
  const candidates = entry === undefined ? INDEXES : [entry.file];
  for (const candidate of candidates) {
    const file = path.join(folder, candidate);
    if ((await kindOf(file)) === 'file') return asModule(file);
  }
  if (entry !== undefined)
    return { refused: `${folder} names ${entry.file} as its module, and that is not there.`, fix: 'Build the plugin first.' };
  return { refused: `The folder ${folder} has no index.mjs, no index.js and no package.json.`, fix: 'Put the plugin into index.mjs.' };
}

function asModule(file: string): FoundFile {
  if (!/\.[cm]?tsx?$/.test(file)) return { path: file };
  return { refused: `${file} is TypeScript, which this process does not run.`, fix: 'Build the plugin and name its JavaScript file.' };
}

export async function kindOf(target: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    const found = await stat(target);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'nothing';
  } catch {
    return 'nothing';
  }
}
