import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bigDocuments } from './big-documents.js';

/** Where the documents and their expected reports lie. */
export const documentsFolder = fileURLToPath(new URL('../../test-documents/', import.meta.url));

/** Every test document: those on disk and those made by code. */
export function allDocuments(): { readonly name: string; readonly text: string }[] {
  const onDisk = readdirSync(documentsFolder).filter((name) => /\.(?:yaml|json)$/.test(name));
  const read = (name: string): string => readFileSync(documentsFolder + name, 'utf8');
  return [
    ...onDisk.map((name) => ({ name, text: read(name) })),
    ...Object.entries(bigDocuments).map(([name, make]) => ({ name, text: make() })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}
