import { isMembers, own, type Members } from './values.js';
import { lookup, pointerOfRef } from './pointer.js';
import { note, quote, type Note } from './notes.js';

/** A document as the compiler reads it. */
export interface Source {
  readonly root: Members;
  readonly version: '3.0' | '3.1';
  readonly duplicates: readonly string[];
}

/** A value after its `$ref`s, with the place where it really stands. */
export type Resolved =
  { readonly ok: true; readonly value: unknown; readonly pointer: string } | { readonly ok: false; readonly note: Note };

const MAX_REF_HOPS = 64;

/** Follows `$ref` until something else stands there. `pointer` is where `value` stands. Siblings of a `$ref` are not read here. */
export function follow(source: Source, value: unknown, pointer: string): Resolved {
  let here = value;
  let place = pointer;
  for (let hops = 0; isMembers(here) && Object.hasOwn(here, '$ref'); hops++) {
    const target = refTarget(source, here['$ref'], `${place}/$ref`);
    if (!target.ok) return target;
    if (hops >= MAX_REF_HOPS)
      return {
        ok: false,
        note: note(
          'error',
          'ref_circular',
          `${place}/$ref`,
          'The references lead in a circle and never to a value.',
          'Let one of them hold the value.',
        ),
      };
    here = target.value;
    place = target.pointer;
  }
  return { ok: true, value: here, pointer: place };
}

/** One step: the value a `$ref` names. */
export function refTarget(source: Source, ref: unknown, pointer: string): Resolved {
  const refuse = (code: string, message: string, suggestion: string): Resolved => ({
    ok: false,
    note: note('error', code, pointer, message, suggestion),
  });
  if (typeof ref !== 'string')
    return refuse('ref_invalid', 'A $ref is not a string.', 'Write a reference such as #/components/schemas/Order.');
  if (!ref.startsWith('#'))
    return refuse(
      'ref_external',
      `The reference ${quote(ref)} leads out of the document.`,
      'Put the referenced part under components; a document fetched by URL may also refer to its own origin.',
    );
  const target = pointerOfRef(ref);
  const value = target === undefined ? undefined : lookup(source.root, target);
  if (target === undefined || value === undefined)
    return refuse('ref_unresolved', `The reference ${quote(ref)} leads to nothing.`, 'Correct the reference, or add the part it names.');
  return { ok: true, value, pointer: target };
}

/** A member that should be an object; undefined where it is absent or something else. */
export function membersAt(members: Members, name: string): Members | undefined {
  const value = own(members, name);
  return isMembers(value) ? value : undefined;
}
