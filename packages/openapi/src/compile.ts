import type { HttpBinding, SourceReport } from '@bailing/plugin-api';
import type { Context } from './context.js';
import { openDocument } from './document.js';
import { Notes } from './notes.js';
import { findProbe } from './operation/probe.js';
import { collectOperations } from './operation/collect.js';
import { compileOperation, readCapability, type Candidate, type Compiled } from './operation/compile.js';
import { nameOperation, takeCensus } from './operation/names.js';
import { serverPath } from './operation/path.js';
import { lintWarnings } from './lint/lint.js';
import { place, type Unplaced } from './report/place.js';
import { SchemaLibrary } from './schema/library.js';
import { patternCheck } from './schema/patterns.js';
import type { Source } from './source.js';
import { membersAt } from './source.js';
import { own } from './values.js';

/** Bounds of one document; the defaults suit any document a person or a framework writes. */
export interface CompileOptions {
  /** Characters. Default 32 Mi. */
  readonly maxChars?: number;
  /** Nodes once YAML aliases are written out. Default 5 000 000. */
  readonly maxNodes?: number;
  /** Operations. Default 50 000. */
  readonly maxOperations?: number;
  /** OpenAPI Overlay 1.0 documents, applied in order before compiling. One that cannot be carried out leaves no tools. */
  readonly overlays?: readonly string[];
  /** Adds the remarks of a reviewer: poor first sentences, writes without a risk, tool sets that flood a context. */
  readonly lint?: boolean;
}

/**
 * Compiles an OpenAPI 3.0 or 3.1 document (JSON or YAML 1.2) to tool drafts, with a report for every operation (WIRE §4.6).
 * Pure: it reads no file and no network, and it never throws, whatever the text is. Time is linear in the text.
 */
export function compileDocument(text: string, options: CompileOptions = {}): SourceReport<HttpBinding> {
  const opened = openDocument(text, options);
  if (!opened.ok) return { drafts: [], operations: [], document: opened.document };
  const { source, text: parsed } = opened;
  const notes = new Notes();
  notes.addAll(opened.notes);
  const compiled = compileSource(source, notes, options.maxOperations ?? 50_000);
  const report = place(options.lint === true ? lintWarnings(compiled) : compiled, parsed);
  return { ...report, document: [...opened.overlays, ...report.document] };
}

function compileSource(source: Source, notes: Notes, maxOperations: number): Unplaced {
  const context: Context = { source, schemas: new SchemaLibrary(source, patternCheck()), rootPath: rootPathOf(source, notes) };
  const { operations, unreadable } = collectOperations(source);
  if (operations.length > maxOperations) {
    notes.error('too_many_operations', '/paths', `The document has more than ${maxOperations} operations.`, 'Split the document.');
    return { drafts: [], operations: [], document: notes.list };
  }
  const candidates = operations.map((one): Candidate => ({ place: one, reading: readCapability(one), naming: nameOperation(one) }));
  const census = takeCensus(candidates.map(({ naming, reading }) => ({ naming, enabled: reading?.enabled ?? false })));
  const compiled = candidates.map((candidate) => compileSafely(context, candidate, census));
  const probe = findProbe(source, operations, notes);
  return {
    drafts: compiled.flatMap(({ draft }) => draft ?? []),
    operations: [...compiled.map(({ report }) => report), ...unreadable],
    document: notes.list,
    ...(probe && { probe }),
  };
}

/** A fault of the compiler itself costs one operation, not the document. */
function compileSafely(context: Context, candidate: Candidate, census: Parameters<typeof compileOperation>[2]): Compiled {
  try {
    return compileOperation(context, candidate, census);
  } catch (error) {
    const notes = new Notes();
    const { pointer, method, path } = candidate.place;
    const kind = error instanceof Error ? error.name : 'unknown';
    notes.error(
      'compiler_fault',
      pointer,
      `The operation could not be compiled (${kind}).`,
      'Simplify its schemas, and report the document to the makers of the hub.',
    );
    return { report: { pointer, method: method.toUpperCase(), path, outcome: 'refused', diagnostics: notes.list } };
  }
}

/** The provider's base URL stands for the document's first server, its path included. */
function rootPathOf(source: Source, notes: Notes): string {
  const servers = own(source.root, 'servers');
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (first === undefined || !membersAt(source.root, 'paths')) return '';
  const unheard = new Notes();
  const path = serverPath(first, '/servers/0', unheard) ?? '';
  if (path !== '')
    notes.info(
      'server_path',
      '/servers/0',
      `The document’s own server has the path ${path}; the provider’s base URL must include it, because servers of a document are not followed.`,
    );
  return path;
}
