import path from 'node:path';
import { findInFolder, kindOf, type FoundFile } from './find-file.js';

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** A package by name, from the folder of the configuration upwards. Also finds packages that only serve ES imports. */
export async function findPackage(name: string, cwd: string): Promise<FoundFile> {
  if (!NAME.test(name)) return { refused: `${JSON.stringify(name.slice(0, 100))} is not a package name.`, fix: 'A path starts with "./".' };
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if ((await kindOf(candidate)) === 'folder') return findInFolder(candidate);
    if (folder === path.dirname(folder)) break;
  }
  return {
    refused: `There is no built-in plugin and no installed package ${name}.`,
    fix: `Check the name, run "npm install ${name}", or write a path with "./" in front.`,
  };
}
