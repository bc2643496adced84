import { createHash } from 'node:crypto';
import { RESERVED_TOOL_NAMES } from '@bailing/contract';
import type { OperationPlace } from '../context.js';
import { quote, type Notes } from '../notes.js';
import { own, spoken } from '../values.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_NAME = 64;
const HASH = 8;

/** What an operation would be called, before it is known whether the name is free. */
export interface Naming {
  readonly name: string;
  readonly from: 'operationId' | 'path';
}

/** WIRE §4.6 rule 8: the operationId as written, else method and path with every run of other characters as `_`. */
export function nameOperation(place: OperationPlace): Naming {
  const id = spoken(own(place.operation, 'operationId'));
  const slug = `${place.method}_${place.path}`.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return id === undefined ? { name: cutName(slug), from: 'path' } : { name: cutName(id), from: 'operationId' };
}

/** A name that is too long keeps its beginning and gets a piece of the hash of the whole, so that cutting never makes two alike. */
export function cutName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH);
  return `${name.slice(0, MAX_NAME - HASH - 1)}_${hash}`;
}

/** How often each name is claimed. */
export interface NameCensus {
  /** By capabilities that are switched on. */
  readonly declared: ReadonlyMap<string, number>;
  /** By all operations that carry it as operationId. */
  readonly ids: ReadonlyMap<string, number>;
}

export function takeCensus(places: readonly { readonly naming: Naming; readonly enabled: boolean }[]): NameCensus {
  const declared = new Map<string, number>();
  const ids = new Map<string, number>();
  const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);
  for (const { naming, enabled } of places) {
    if (enabled) count(declared, naming.name);
    if (naming.from === 'operationId') count(ids, naming.name);
  }
  return { declared, ids };
}

/** Says what is wrong with a name: of two that claim one name, both are refused. */
export function checkName(place: OperationPlace, naming: Naming, census: NameCensus, notes: Notes): void {
  const id = own(place.operation, 'operationId') ?? undefined;
  const pointer = id === undefined ? place.operationPointer : `${place.operationPointer}/operationId`;
  if (id !== undefined && typeof id !== 'string')
    notes.error('invalid_name', pointer, 'The operationId is not a string.', 'Write it as a string, such as order_read.');
  else if (!NAME.test(naming.name)) {
    const legal = naming.name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^([^A-Za-z_])/, '_$1');
    const suggestion = NAME.test(legal) ? `Call it ${legal}.` : 'Use letters, digits and _, such as order_read.';
    notes.error(
      'invalid_name',
      pointer,
      `${quote(naming.name)} cannot be the name of a tool: letters, digits and _ only, no digit first.`,
      suggestion,
    );
  } else if (RESERVED_TOOL_NAMES.includes(naming.name))
    notes.error(
      'reserved_name',
      pointer,
      `${quote(naming.name)} is the name of a tool of the hub itself.`,
      'Give the operation another operationId.',
    );
  else if ((census.declared.get(naming.name) ?? 0) > 1)
    notes.error(
      naming.from === 'operationId' ? 'duplicate_operation_id' : 'duplicate_name',
      pointer,
      `Two capabilities of the document would both be called ${quote(naming.name)}, so both are refused.`,
      'Give each its own operationId.',
    );
  else if (naming.from === 'operationId' && (census.ids.get(naming.name) ?? 0) > 1)
    notes.warn(
      'duplicate_operation_id',
      pointer,
      `Another operation, not declared as a capability, has the operationId ${quote(naming.name)} too.`,
      'Give each its own operationId.',
    );
  if (naming.from === 'path' && !notes.failed)
    notes.warn(
      'missing_operation_id',
      place.operationPointer,
      `The operation has no operationId; the tool is called ${naming.name} after its path.`,
      'Add an operationId, so that the name survives a change of the path.',
    );
}
