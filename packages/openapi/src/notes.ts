import type { Diagnostic } from '@bailing/plugin-api';

type Severity = Diagnostic['severity'];

/** Something said about one place; line and column are added when the whole report is known. */
export type Note = Omit<Diagnostic, 'line' | 'column'>;

/** Collects what is said about one operation or about the document, bounded and without repeats. */
export class Notes {
  readonly list: Note[] = [];
  #failed = false;
  readonly #seen = new Set<string>();

  get failed(): boolean {
    return this.#failed;
  }
  error(code: string, pointer: string, message: string, suggestion?: string): void {
    this.add(note('error', code, pointer, message, suggestion));
  }
  warn(code: string, pointer: string, message: string, suggestion?: string): void {
    this.add(note('warning', code, pointer, message, suggestion));
  }
  info(code: string, pointer: string, message: string, suggestion?: string): void {
    this.add(note('info', code, pointer, message, suggestion));
  }
  add(one: Note): void {
    if (one.severity === 'error') this.#failed = true;
    const key = `${one.code} ${one.pointer}`;
    if (this.#seen.has(key) || this.list.length >= MAX_NOTES) return;
    this.#seen.add(key);
    this.list.push(one);
  }
  addAll(notes: readonly Note[]): void {
    for (const one of notes) this.add(one);
  }
}

/** More says nothing new about one operation. An error past the limit still refuses it. */
const MAX_NOTES = 100;

/** The notes that matter most of a long list, errors first: a shared part is not told of at length by every operation. */
export function fewNotes(notes: readonly Note[]): readonly Note[] {
  if (notes.length <= MAX_SHARED) return notes;
  return [...notes.filter((one) => one.severity === 'error'), ...notes.filter((one) => one.severity !== 'error')].slice(0, MAX_SHARED);
}

const MAX_SHARED = 30;

export function note(severity: Severity, code: string, pointer: string, message: string, suggestion?: string): Note {
  return { severity, code, pointer, message, ...(suggestion !== undefined && { suggestion }) };
}

/** A name from the document inside a sentence: quoted and short. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}…` : name);
}
