import { CORE_SCHEMA, YAMLException, constructFromEvents, mergeTag, parseEvents, type Event } from 'js-yaml';
import { scanJson } from './json-scan.js';
import { lineFinder, offsetOf, wantedTree, type Place, type Wanted } from './place.js';
import { scanYaml } from './yaml-scan.js';

/** A parsed text that still knows where everything stands. */
export interface ParsedText {
  readonly value: unknown;
  /** Members that are written twice in one object; the last one is what `value` holds. */
  readonly duplicates: readonly string[];
  /** Lines and columns of pointers, all found in one pass. A pointer that is not in the text gets its nearest ancestor's place. */
  readonly locate: (pointers: Iterable<string>) => (pointer: string) => Place;
}

export type Parsed =
  | { readonly ok: true; readonly text: ParsedText }
  | { readonly ok: false; readonly message: string; readonly line?: number; readonly column?: number };

const MAX_DEPTH = 200;
const MAX_ALIASES = 20_000;
const MAX_MERGE_KEYS = 200_000;
const MAX_DUPLICATES = 1_000;
/** YAML 1.2 core types (`no`, `off` and `y` are strings), plus merge keys, which many documents use. */
const YAML = CORE_SCHEMA.withTags(mergeTag);

/** Reads JSON, else YAML 1.2. Never throws. Time is linear in the text; expansion by aliases is for the caller to measure. */
export function parseText(source: string): Parsed {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return readYaml(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const yaml = readYaml(text);
    return yaml.ok ? yaml : jsonFailure(text, error);
  }
  return { ok: true, text: parsed(text, value, (wanted, onDuplicate) => scanJson(text, wanted, onDuplicate)) };
}

type Scan = (wanted: Wanted | undefined, onDuplicate?: (pointer: string) => void) => void;

function parsed(text: string, value: unknown, scan: Scan): ParsedText {
  const duplicates: string[] = [];
  scan(undefined, (pointer) => {
    if (duplicates.length < MAX_DUPLICATES) duplicates.push(pointer);
  });
  const locate = (pointers: Iterable<string>) => {
    const wanted = wantedTree(pointers);
    scan(wanted);
    const lines = lineFinder(text);
    return (pointer: string) => lines(offsetOf(wanted, pointer));
  };
  return { value, duplicates, locate };
}

function readYaml(text: string): Parsed {
  try {
    const events: Event[] = parseEvents(text, { maxDepth: MAX_DEPTH });
    const documents = constructFromEvents(events, {
      source: text,
      schema: YAML,
      json: true,
      maxAliases: MAX_ALIASES,
      maxTotalMergeKeys: MAX_MERGE_KEYS,
    });
    if (documents.length > 1) return { ok: false, message: 'The text holds more than one YAML document.' };
    return { ok: true, text: parsed(text, documents[0], (wanted, onDuplicate) => scanYaml(text, events, wanted, onDuplicate)) };
  } catch (error) {
    if (!(error instanceof YAMLException)) return { ok: false, message: 'The text cannot be read as JSON or YAML.' };
    const place = error.mark && { line: error.mark.line + 1, column: error.mark.column + 1 };
    return { ok: false, message: `The text is not YAML: ${error.reason}.`, ...place };
  }
}

function jsonFailure(text: string, error: unknown): Parsed {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : '');
  return { ok: false, message: 'The text is not JSON.', ...(found && lineFinder(text)(Number(found[1]))) };
}
