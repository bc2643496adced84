import type { JsonSchema } from '@bailing/plugin-api';
import type { Note } from '../notes.js';

/** A place in a schema where a reference stood. It is filled once it is known whether the referenced part is written out or named. */
export interface Hole {
  /** Already holds the annotations that stood beside the reference. */
  readonly target: Record<string, unknown>;
  /** What it refers to. */
  readonly pointer: string;
  /** Whether it judges the same value as the schema it stands in (`allOf`), not a part of it (`properties`). */
  readonly inPlace: boolean;
}

/** One schema of the document, read once and shared by every tool that reaches it. */
export interface SchemaDef {
  readonly pointer: string;
  /** 2020-12, references still open until the definition is settled. */
  schema: JsonSchema;
  readonly holes: Hole[];
  readonly notes: Note[];
  /** Schemas of its own, and levels of its own. */
  nodes: number;
  depth: number;
  /** Where settled: with everything that is written out inside. */
  settled: Settled | undefined;
}

export interface Settled {
  /** Written out where it is used; otherwise named under `$defs`. */
  readonly inline: boolean;
  readonly name: string;
  readonly nodes: number;
  readonly depth: number;
  /** Pointers of the definitions it needs under `$defs`. */
  readonly needs: ReadonlySet<string>;
  readonly notes: readonly Note[];
}

export function emptyDef(pointer: string): SchemaDef {
  return { pointer, schema: true, holes: [], notes: [], nodes: 0, depth: 0, settled: undefined };
}
