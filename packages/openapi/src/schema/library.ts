import type { JsonSchema } from '@bailing/plugin-api';
import { lookup } from '../pointer.js';
import { fewNotes, type Note } from '../notes.js';
import type { Source } from '../source.js';
import type { SchemaDef } from './def.js';
import type { PatternCheck } from './patterns.js';
import { readSchema } from './read.js';
import { settle } from './settle.js';

/** What one tool takes along under `$defs`. */
export interface Closure {
  readonly defs: Readonly<Record<string, JsonSchema>>;
  readonly notes: readonly Note[];
  readonly nodes: number;
  /** More definitions than a tool may carry. */
  readonly tooLarge: boolean;
}

/** A tool that names more definitions than this cannot be shown to a model. */
const MAX_DEFS = 500;
const TOO_LARGE: Closure = { defs: {}, notes: [], nodes: 0, tooLarge: true };

/** The schemas of one document: each is read and settled once, and shared. */
export class SchemaLibrary {
  readonly #defs = new Map<string, SchemaDef>();
  readonly #names = new Map<string, SchemaDef>();
  readonly #closures = new Map<string, Closure>();

  constructor(
    private readonly source: Source,
    private readonly patterns: PatternCheck,
  ) {}

  /** The settled definition of the schema at a pointer. */
  at(pointer: string): SchemaDef {
    const def = this.#read(pointer);
    settle(def, {
      read: (inner) => this.#read(inner),
      named: (name, one) => void this.#names.set(name, one),
    });
    return def;
  }

  /** What a settled schema says itself: a name under `$defs` is followed. */
  view(schema: JsonSchema): JsonSchema {
    let here = schema;
    for (let hops = 0; hops < 64 && typeof here === 'object' && typeof here['$ref'] === 'string'; hops++) {
      const def = this.#names.get(here['$ref'].slice('#/$defs/'.length));
      if (!def) return here;
      here = def.schema;
    }
    return here;
  }

  /** Everything that some definitions need under `$defs`, together. */
  closure(needs: ReadonlySet<string>): Closure {
    if (needs.size > MAX_DEFS) return TOO_LARGE;
    const key = [...needs].sort().join('\n');
    const known = this.#closures.get(key);
    if (known) return known;
    const seen = new Set<string>();
    const queue = [...needs];
    const defs: [string, JsonSchema][] = [];
    const notes: Note[] = [];
    let nodes = 0;
    for (let pointer = queue.pop(); pointer !== undefined && seen.size <= MAX_DEFS; pointer = queue.pop()) {
      const settled = seen.has(pointer) ? undefined : this.at(pointer).settled;
      if (!settled) continue;
      seen.add(pointer);
      defs.push([settled.name, this.at(pointer).schema]);
      notes.push(...settled.notes);
      nodes += settled.nodes;
      queue.push(...settled.needs);
    }
    defs.sort(([a], [b]) => (a < b ? -1 : 1));
    const closure = { defs: Object.fromEntries(defs), notes: fewNotes(notes), nodes, tooLarge: seen.size > MAX_DEFS };
    this.#closures.set(key, closure);
    return closure;
  }

  #read(pointer: string): SchemaDef {
    const known = this.#defs.get(pointer);
    if (known) return known;
    const def = readSchema(this.source, lookup(this.source.root, pointer), pointer, this.patterns);
    this.#defs.set(pointer, def);
    return def;
  }
}
