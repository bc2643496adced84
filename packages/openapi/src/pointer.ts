import { isMembers } from './values.js';

/** Extends a JSON pointer (RFC 6901) by tokens. */
export function at(pointer: string, ...tokens: readonly (string | number)[]): string {
  let out = pointer;
  for (const token of tokens) out += `/${String(token).replace(/~/g, '~0').replace(/\//g, '~1')}`;
  return out;
}

export function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The member a pointer names. `undefined` is never a member: documents come from JSON or YAML. */
export function lookup(root: unknown, pointer: string): unknown {
  let here: unknown = root;
  for (const token of tokensOf(pointer)) {
    if (Array.isArray(here)) here = /^(?:0|[1-9][0-9]*)$/.test(token) ? (here as readonly unknown[])[Number(token)] : undefined;
    else here = isMembers(here) && Object.hasOwn(here, token) ? here[token] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

/** The pointer of a reference into the same document (`#/components/…`); undefined where the fragment is no pointer. */
export function pointerOfRef(ref: string): string | undefined {
  if (ref === '#') return '';
  if (!ref.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return undefined;
  }
}
