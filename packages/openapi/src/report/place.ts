import type { Diagnostic, HttpBinding, OperationReport, SourceReport } from '@bailing/plugin-api';
import type { Note } from '../notes.js';
import type { ParsedText } from '../text/parse.js';

/** A report whose diagnostics have no lines yet. */
export type Unplaced = Omit<SourceReport<HttpBinding>, 'operations' | 'document'> & {
  readonly operations: readonly (Omit<OperationReport, 'diagnostics'> & { readonly diagnostics: readonly Note[] })[];
  readonly document: readonly Note[];
};

/** Adds line and column to every diagnostic, all found in one pass over the text. */
export function place(report: Unplaced, text: ParsedText): SourceReport<HttpBinding> {
  const pointers = new Set<string>();
  for (const { diagnostics } of report.operations) for (const { pointer } of diagnostics) pointers.add(pointer);
  for (const { pointer } of report.document) pointers.add(pointer);
  if (pointers.size === 0) return report;
  const find = text.locate(pointers);
  const placed = new Map<Note, Diagnostic>();
  const add = (note: Note): Diagnostic => {
    const known = placed.get(note);
    if (known) return known;
    const { severity, code, pointer, message, suggestion } = note;
    const full: Diagnostic = { severity, code, pointer, ...find(pointer), message, ...(suggestion !== undefined && { suggestion }) };
    placed.set(note, full);
    return full;
  };
  return {
    ...report,
    operations: report.operations.map((one) => ({ ...one, diagnostics: one.diagnostics.map(add) })),
    document: report.document.map(add),
  };
}
