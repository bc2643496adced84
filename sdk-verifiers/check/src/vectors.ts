import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Party = 'node' | 'python' | 'php' | 'hub';
export const PARTIES: readonly Party[] = ['node', 'python', 'php', 'hub'];

/** One question; the README of the vectors says what each kind asks. `expected` is absent in a fuzz corpus. */
export interface VectorCase {
  readonly id: string;
  readonly kind: string;
  readonly note: string;
  readonly flags: readonly string[];
  readonly parties?: readonly Party[];
  readonly now?: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected?: { readonly result: string };
}

export interface VectorFile {
  readonly bailing: string;
  readonly version: number;
  readonly generatedBy: string;
  readonly group: string;
  readonly clock?: 's' | 'ms';
  readonly parties: readonly Party[];
  readonly count: number;
  readonly flags: Readonly<Record<string, string>>;
  readonly cases: readonly VectorCase[];
}

/** Reads every vector file of a folder, in name order. @throws {Error} on a file that is not one, a wrong count, or an id that occurs twice. */
export function readVectors(folder: string): readonly VectorFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  const files = names.sort().map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as VectorFile);
  const seen = new Set<string>();
  for (const file of files) {
    if (file.bailing !== 'verifier-vectors') throw new Error(`The file of group ${String(file.group)} is not a vector file.`);
    if (file.count !== file.cases.length) throw new Error(`Group ${file.group} says ${file.count} cases and has ${file.cases.length}.`);
    for (const { id } of file.cases) {
      if (seen.has(id)) throw new Error(`The id ${id} occurs twice.`);
      seen.add(id);
    }
  }
  return files;
}

/** The cases that are asked of a party, with the answers it must give. */
export function askedOf(files: readonly VectorFile[], party: Party): ReadonlyMap<string, string | undefined> {
  const asked = new Map<string, string | undefined>();
  for (const file of files) {
    for (const item of file.cases) if ((item.parties ?? file.parties).includes(party)) asked.set(item.id, item.expected?.result);
  }
  return asked;
}
