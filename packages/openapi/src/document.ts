import type { Diagnostic } from '@bailing/plugin-api';
import { measure } from './text/measure.js';
import { note, quote, type Note } from './notes.js';
import type { Source } from './source.js';
import { parseText, type ParsedText } from './text/parse.js';
import { clone } from './overlay/apply.js';
import { overlayValue } from './overlay/overlay.js';
import { isMembers, own, type Members } from './values.js';

export type Opened =
  | {
      readonly ok: true;
      readonly source: Source;
      readonly text: ParsedText;
      readonly notes: readonly Note[];
      readonly overlays: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly document: readonly Diagnostic[] };

const MAX_CHARS = 33_554_432;
const MAX_NODES = 5_000_000;
const MAX_DEPTH = 200;

export interface OpenOptions {
  readonly maxChars?: number;
  readonly maxNodes?: number;
  readonly overlays?: readonly string[];
}

/** Reads the text, applies overlays, and says which OpenAPI it is; everything wrong with the document as a whole ends here. */
export function openDocument(text: string, options: OpenOptions): Opened {
  const read = readValue(text, options);
  if (!('text' in read)) return read;
  const { duplicates, locate } = read.text;
  const overlaid = overlay(read.value, options.overlays ?? []);
  if (!overlaid.ok) return { ok: false, document: overlaid.diagnostics };
  const { root } = overlaid;
  const version = versionOf(root);
  const wrong = 'code' in version ? version : whyUnusable(root, duplicates);
  if (wrong) return { ok: false, document: [{ ...wrong, ...locate([wrong.pointer])(wrong.pointer) }] };
  const source = { root, version: (version as Exclude<Version, Note>).version, duplicates };
  const notes = [...(version as Exclude<Version, Note>).notes, ...remarks(root, duplicates)];
  return { ok: true, source, text: read.text, notes, overlays: overlaid.diagnostics };
}

function readValue(
  text: string,
  options: OpenOptions,
): Extract<Opened, { ok: false }> | { readonly text: ParsedText; readonly value: Members } {
  const maxChars = options.maxChars ?? MAX_CHARS;
  if (text.length > maxChars)
    return refuse('document_too_large', `The document is longer than ${maxChars} characters.`, 'Split the document.');
  const parsed = parseText(text);
  if (!parsed.ok) {
    const { message, line, column } = parsed;
    const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    return refuse('invalid_spec', message, 'Write one JSON or YAML 1.2 document.', place);
  }
  const { value } = parsed.text;
  const size = measure(value, { nodes: options.maxNodes ?? MAX_NODES, depth: MAX_DEPTH });
  if (!size.ok && size.what === 'depth')
    return refuse('document_too_deep', `The document is nested deeper than ${MAX_DEPTH} levels.`, 'Name inner parts under components.');
  if (!size.ok)
    return refuse(
      'document_too_large',
      'The document is too large once its aliases are written out.',
      'Use $ref instead of nested YAML aliases.',
    );
  if (!isMembers(value)) return refuse('invalid_spec', 'The document is not an object.', 'Begin with the line `openapi: 3.1.0`.');
  return { text: parsed.text, value };
}

/** An overlay may also tighten, so one that cannot be carried out leaves no tools rather than looser ones. */
function overlay(
  value: Members,
  overlays: readonly string[],
): { readonly ok: boolean; readonly root: Members; readonly diagnostics: readonly Diagnostic[] } {
  if (overlays.length === 0) return { ok: true, root: value, diagnostics: [] };
  const root = clone(value) as Record<string, unknown>;
  const diagnostics = overlays.flatMap((text, i) => overlayValue(root, text).diagnostics.map((one) => elsewhere(one, i + 1)));
  return { ok: !diagnostics.some((one) => one.severity === 'error'), root, diagnostics };
}

/** A line of an overlay is not one of the document. */
function elsewhere({ line, column: _column, ...one }: Diagnostic, overlay: number): Diagnostic {
  return { ...one, message: `Overlay ${overlay}${line === undefined ? '' : `, line ${line}`}: ${one.message}` };
}

function whyUnusable(root: Members, duplicates: readonly string[]): Note | undefined {
  const twice = duplicates.find((member) => /^\/[^/]*$/.test(member) && member !== '/info' && member !== '/tags');
  if (twice !== undefined)
    return note(
      'error',
      'duplicate_key',
      twice,
      `The document has ${quote(twice.slice(1))} twice, and only one of them can be read.`,
      'Join the two.',
    );
  const paths = own(root, 'paths');
  if (paths === undefined || isMembers(paths) || (Array.isArray(paths) && paths.length === 0)) return undefined;
  return note('error', 'invalid_spec', '/paths', 'paths is not an object.', 'Write an object whose members are paths.');
}

function refuse(
  code: string,
  message: string,
  suggestion: string,
  place?: { readonly line?: number; readonly column?: number },
): Extract<Opened, { ok: false }> {
  return { ok: false, document: [{ severity: 'error', code, pointer: '', ...place, message, suggestion }] };
}

type Version = { readonly version: Source['version']; readonly notes: readonly Note[] } | Note;

function versionOf(root: Members): Version {
  const swagger = own(root, 'swagger');
  if (swagger !== undefined)
    return note(
      'error',
      'swagger_unsupported',
      '/swagger',
      `This is a Swagger ${worded(swagger).slice(0, 8)} document; OpenAPI 3.0 and 3.1 are read.`,
      'Convert it to OpenAPI 3 first; most tools that write Swagger 2.0 can.',
    );
  const raw = own(root, 'openapi');
  if (raw === undefined)
    return note(
      'error',
      'openapi_version_missing',
      '',
      'The document does not say which OpenAPI it is.',
      'Begin with the line `openapi: 3.1.0`.',
    );
  const text = typeof raw === 'number' ? (Number.isInteger(raw) ? `${raw}.0` : String(raw)) : raw;
  const found = typeof text === 'string' ? /^3\.([01])(?:\.|$)/.exec(text.trim()) : null;
  if (!found)
    return note(
      'error',
      'openapi_version_unsupported',
      '/openapi',
      `OpenAPI ${quote(worded(raw))} is not read; 3.0 and 3.1 are.`,
      'Write the document in OpenAPI 3.1.',
    );
  const loose =
    typeof raw === 'number'
      ? [note('warning', 'openapi_version_number', '/openapi', 'The version is a number.', 'Write it in quotes: "3.0.3".')]
      : [];
  return { version: found[1] === '0' ? '3.0' : '3.1', notes: loose };
}

function remarks(root: Members, duplicates: readonly string[]): Note[] {
  const elsewhere = duplicates.filter((member) => !member.startsWith('/paths/'));
  const notes = elsewhere
    .slice(0, 20)
    .map((member) =>
      note('warning', 'duplicate_key', member, 'The member is written twice; operations that need it are refused.', 'Keep one of them.'),
    );
  if (!isMembers(own(root, 'paths'))) notes.push(note('warning', 'no_operations', '', 'The document has no paths, so it offers no tools.'));
  return notes;
}

function worded(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
