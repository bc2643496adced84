import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';

/** A place in the text: line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** YAML 1.2 (and so JSON) read as a value, with the place of every path. */
export interface YamlText {
  readonly value: unknown;
  /** Dotted path as the schema check writes it (`routes[0].tools`), to the nearest place that exists. */
  placeOf(path: string): Place;
  /** Every string scalar with its path. */
  readonly strings: readonly { readonly path: string; readonly text: string; readonly set: (text: string) => void }[];
  /** The value after strings were set. */
  current(): unknown;
}

export type YamlReading =
  | { readonly ok: true; readonly text: YamlText }
  | { readonly ok: false; readonly problems: readonly (Place & { readonly says: string })[] };

/** Aliases are few in a configuration; more than this is an expansion attack or a mistake. */
const MAX_ALIASES = 100;

export function readYaml(source: string): YamlReading {
  const lines = new LineCounter();
  let document: Document;
  try {
    document = parse(source, lines);
  } catch (error) {
    // The parser calls itself at every level.
    return { ok: false, problems: [{ line: 1, column: 1, says: saidOf(error) }] };
  }
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    return { ok: false, problems: document.errors.map((error) => ({ ...at(error.pos[0]), says: saidOf(error) })) };
  }
  try {
    return { ok: true, text: textOf(document, at) };
  } catch (error) {
    // Aliases that expand without bound, or that lead nowhere.
    return { ok: false, problems: [{ line: 1, column: 1, says: saidOf(error) }] };
  }
}

function parse(source: string, lineCounter: LineCounter): Document {
  return parseDocument(source, { lineCounter, version: '1.2', uniqueKeys: true, merge: false });
}

/** In our words where the library speaks of itself. */
function saidOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (error instanceof RangeError || code === 'RESOURCE_EXHAUSTION') return 'It is nested too deeply.';
  if (code === 'MULTIPLE_DOCS') return 'It holds several documents, divided by `---`; write them into files of their own.';
  return firstLine(error instanceof Error ? error.message : String(error));
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

function textOf(document: Document, at: (offset: number) => Place): YamlText {
  const places = new Map<string, Place>();
  const strings: YamlText['strings'][number][] = [];
  walk(document.contents, '', at, places, strings);
  const current = () => document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  return { value: current(), current, strings, placeOf: (path) => nearest(places, path) };
}

function walk(
  node: unknown,
  path: string,
  at: (offset: number) => Place,
  places: Map<string, Place>,
  strings: YamlText['strings'][number][],
): void {
  if (isMap(node)) {
    if (node.range && !places.has(path)) places.set(path, at(node.range[0]));
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const child = path === '' ? key : `${path}.${key}`;
      if (isScalar(pair.key) && pair.key.range) places.set(child, at(pair.key.range[0]));
      walk(pair.value, child, at, places, strings);
    }
  } else if (isSeq(node)) {
    if (node.range && !places.has(path)) places.set(path, at(node.range[0]));
    node.items.forEach((item, index) => walk(item, `${path}[${String(index)}]`, at, places, strings));
  } else if (isScalar(node)) {
    if (node.range && !places.has(path)) places.set(path, at(node.range[0]));
    if (typeof node.value === 'string') strings.push({ path, text: node.value, set: (text) => void (node.value = text) });
  }
}

/** Shortens a path from its end until it is a place that exists. */
function nearest(places: ReadonlyMap<string, Place>, path: string): Place {
  for (let end = path.length; end > 0; end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))) {
    const place = places.get(path.slice(0, end));
    if (place) return place;
  }
  return places.get('') ?? { line: 1, column: 1 };
}
