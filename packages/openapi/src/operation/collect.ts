import type { OperationReport } from '@bailing/plugin-api';
import type { OperationPlace } from '../context.js';
import { note, type Note } from '../notes.js';
import { at } from '../pointer.js';
import { follow, membersAt, type Source } from '../source.js';
import { isMembers, own, type Members } from '../values.js';

export const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'connect']);
/** Members of a path item that are no operations. */
const ITEM_MEMBERS = new Set(['$ref', 'summary', 'description', 'servers', 'parameters', 'additionalOperations']);
export const CAPABILITY = 'x-agent-capability';

export interface Collected {
  readonly operations: readonly OperationPlace[];
  /** Path items that cannot be read, reported in the place of the operations they may hold. */
  readonly unreadable: readonly OperationReport[];
}

/** Every operation of a document, in document order. Webhooks and callbacks are listed where somebody declared them as capabilities. */
export function collectOperations(source: Source): Collected {
  const operations: OperationPlace[] = [];
  const unreadable: OperationReport[] = [];
  for (const [path, item] of Object.entries(membersAt(source.root, 'paths') ?? {})) {
    if (path.startsWith('x-') || item === null) continue;
    const pointer = at('/paths', path);
    const read = readItem(source, item, pointer);
    if (Array.isArray(read)) unreadable.push({ pointer, method: '*', path, outcome: 'refused', diagnostics: read });
    else for (const one of ofItem(path, pointer, read)) operations.push(one, ...inboundOf(source, one));
  }
  for (const [name, item] of Object.entries(membersAt(source.root, 'webhooks') ?? {})) {
    const pointer = at('/webhooks', name);
    const read = readItem(source, item, pointer);
    if (!Array.isArray(read)) operations.push(...declaredInbound(ofItem(name, pointer, read)));
  }
  return { operations, unreadable };
}

interface Item {
  readonly members: Members;
  /** Where each member stands: beside a `$ref`, or behind it. */
  readonly placeOf: (name: string) => string;
}

function readItem(source: Source, item: unknown, pointer: string): Item | Note[] {
  const target = follow(source, item, pointer);
  if (!target.ok) return [target.note];
  if (!isMembers(target.value))
    return [
      note('error', 'invalid_path_item', pointer, 'The path item is not an object.', 'Write an object with a member for each HTTP method.'),
    ];
  const beside = isMembers(item) && target.value !== item ? item : {};
  return {
    members: { ...target.value, ...beside },
    placeOf: (name) => at(Object.hasOwn(beside, name) ? pointer : target.pointer, name),
  };
}

function ofItem(path: string, pointer: string, item: Item): OperationPlace[] {
  return Object.entries(item.members).flatMap(([method, operation]) => {
    if (ITEM_MEMBERS.has(method) || method.startsWith('x-') || !isMembers(operation)) return [];
    if (!METHODS.has(method.toLowerCase()) && own(operation, CAPABILITY) === undefined) return [];
    const operationPointer = item.placeOf(method);
    return [{ pointer: at(pointer, method), method, path, operation, operationPointer, item: item.members, itemPlace: item.placeOf }];
  });
}

function inboundOf(source: Source, place: OperationPlace): OperationPlace[] {
  return Object.entries(membersAt(place.operation, 'callbacks') ?? {}).flatMap(([name, raw]) => {
    const pointer = at(place.operationPointer, 'callbacks', name);
    const callback = follow(source, raw, pointer);
    if (!callback.ok || !isMembers(callback.value)) return [];
    return Object.entries(callback.value).flatMap(([expression, item]) => {
      const read = readItem(source, item, at(callback.pointer, expression));
      return Array.isArray(read) ? [] : declaredInbound(ofItem(expression, at(place.pointer, 'callbacks', name, expression), read));
    });
  });
}

function declaredInbound(places: readonly OperationPlace[]): OperationPlace[] {
  return places.filter((one) => own(one.operation, CAPABILITY) !== undefined).map((one) => ({ ...one, inbound: true }));
}
