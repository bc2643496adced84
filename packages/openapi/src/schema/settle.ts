import { createHash } from 'node:crypto';
import { fewNotes, note, type Note } from '../notes.js';
import { tokensOf } from '../pointer.js';
import type { SchemaDef } from './def.js';

/** Written out where used up to this size; above it, and in circles, a definition is named. Sharing never multiplies a document. */
const INLINE_NODES = 60;
const INLINE_LEVELS = 12;

export interface Shelf {
  read(pointer: string): SchemaDef;
  /** A definition that gets a name under `$defs`. */
  named(name: string, def: SchemaDef): void;
}

interface Visit {
  readonly def: SchemaDef;
  next: number;
  low: number;
}

/**
 * Settles a definition and all it reaches: finds the circles (Tarjan's algorithm, without recursion), decides what is written out and
 * what is named, and fills the holes. Every definition is settled once, whoever asks first, with the same outcome.
 */
export function settle(root: SchemaDef, shelf: Shelf): void {
  if (root.settled) return;
  const order = new Map<SchemaDef, number>();
  const open: SchemaDef[] = [];
  const onStack = new Set<SchemaDef>();
  const visits: Visit[] = [];
  const enter = (def: SchemaDef): void => {
    visits.push({ def, next: 0, low: order.size });
    order.set(def, order.size);
    open.push(def);
    onStack.add(def);
  };
  enter(root);
  for (let visit = visits[visits.length - 1]; visit; visit = visits[visits.length - 1]) {
    const hole = visit.def.holes[visit.next++];
    if (hole) {
      const child = shelf.read(hole.pointer);
      if (child.settled) continue;
      const index = order.get(child);
      if (index === undefined) enter(child);
      else if (onStack.has(child)) visit.low = Math.min(visit.low, index);
      continue;
    }
    visits.pop();
    const parent = visits[visits.length - 1];
    if (parent) parent.low = Math.min(parent.low, visit.low);
    if (visit.low === order.get(visit.def)) close(open, onStack, visit.def, shelf);
  }
}

/** Takes one finished circle (or one definition alone) off the stack; everything it refers to outside is settled already. */
function close(open: SchemaDef[], onStack: Set<SchemaDef>, last: SchemaDef, shelf: Shelf): void {
  const members: SchemaDef[] = [];
  for (let def = open.pop(); def; def = open.pop()) {
    members.push(def);
    onStack.delete(def);
    if (def === last) break;
  }
  const inside = new Set(members);
  const circular = members.length > 1 || members.some((def) => def.holes.some((hole) => inside.has(shelf.read(hole.pointer))));
  if (circular) refuseSelfJudging(members, inside, shelf);
  for (const def of members) settleOne(def, circular, inside, shelf);
  for (const def of members) fill(def, shelf);
}

function settleOne(def: SchemaDef, circular: boolean, inside: ReadonlySet<SchemaDef>, shelf: Shelf): void {
  let nodes = def.nodes;
  let depth = def.depth;
  const needs = new Set<string>();
  const notes: Note[] = [...def.notes];
  for (const hole of def.holes) {
    const child = shelf.read(hole.pointer);
    const settled = inside.has(child) ? undefined : child.settled;
    if (!settled?.inline) {
      needs.add(hole.pointer);
      continue;
    }
    nodes += settled.nodes;
    depth = Math.max(depth, def.depth + settled.depth);
    for (const need of settled.needs) needs.add(need);
    notes.push(...settled.notes);
  }
  const inline = !circular && nodes <= INLINE_NODES && depth <= INLINE_LEVELS;
  const name = defName(def.pointer);
  def.settled = { inline, name, nodes, depth, needs, notes: fewNotes(notes) };
  if (!inline) shelf.named(name, def);
}

function fill(def: SchemaDef, shelf: Shelf): void {
  for (const { target, pointer } of def.holes) {
    const child = shelf.read(pointer);
    if (!child.settled?.inline) target['$ref'] = `#/$defs/${defName(pointer)}`;
    else if (typeof child.schema === 'object') {
      for (const [keyword, value] of Object.entries(child.schema)) if (!Object.hasOwn(target, keyword)) target[keyword] = value;
    } else if (!child.schema) target['not'] = {};
  }
}

/** A schema that judges a value by judging the same value again would never end: `A: { allOf: [A] }`. */
function refuseSelfJudging(members: readonly SchemaDef[], inside: ReadonlySet<SchemaDef>, shelf: Shelf): void {
  const edges = new Map(
    members.map(
      (def) =>
        [
          def,
          def.holes
            .filter((h) => h.inPlace)
            .map((h) => shelf.read(h.pointer))
            .filter((c) => inside.has(c)),
        ] as const,
    ),
  );
  const incoming = new Map(members.map((def) => [def, 0]));
  for (const children of edges.values()) for (const child of children) incoming.set(child, (incoming.get(child) ?? 0) + 1);
  const free = members.filter((def) => incoming.get(def) === 0);
  let left = members.length;
  for (let def = free.pop(); def; def = free.pop()) {
    left--;
    for (const child of edges.get(def) ?? []) {
      const count = (incoming.get(child) ?? 0) - 1;
      incoming.set(child, count);
      if (count === 0) free.push(child);
    }
  }
  if (left === 0) return;
  for (const def of members.filter((one) => (incoming.get(one) ?? 0) > 0))
    def.notes.push(
      note(
        'error',
        'schema_judges_itself',
        def.pointer,
        'The schema contains itself as a whole, so no value can be judged by it.',
        'Put the inner reference under a property or under items.',
      ),
    );
}

/** The last part of the pointer where it is a plain name under components; otherwise that and a piece of the pointer's hash. */
export function defName(pointer: string): string {
  const tokens = tokensOf(pointer);
  const last = tokens[tokens.length - 1] ?? 'root';
  const plain = last.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60);
  if (tokens.length === 3 && tokens[0] === 'components' && tokens[1] === 'schemas' && plain === last) return plain;
  return `${plain}_${createHash('sha256').update(pointer).digest('hex').slice(0, 8)}`;
}
