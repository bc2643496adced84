import { at } from '../pointer.js';
import { measure } from '../text/measure.js';
import { parseText } from '../text/parse.js';
import { isMembers, type Members } from '../values.js';
import { documentUrl, eachRef, type ExternalRef } from './refs.js';

/** Where the parts of other documents stand in a bundled one. */
const SHELF = 'x-bailing-external';
const LIMITS = { nodes: 5_000_000, depth: 200 };

export type Bundled = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly url: string; readonly says: string };

/** References that lead out of a document. Empty for a text that cannot be read: compiling it says why. */
export function externalRefs(text: string): readonly ExternalRef[] {
  const root = readRoot(text);
  if (typeof root === 'string') return [];
  const found: ExternalRef[] = [];
  eachRef(root, (_holder, ref, pointer) => {
    if (!ref.startsWith('#')) found.push({ ref, pointer });
  });
  return found;
}

/** The documents a text refers to, as absolute URLs without fragments, itself left out. */
export function externalDocuments(text: string, url: string): ReadonlySet<string> {
  const self = documentUrl('', url);
  return new Set(
    externalRefs(text)
      .flatMap(({ ref }) => documentUrl(ref, url) ?? [])
      .filter((one) => one !== self),
  );
}

/**
 * Joins a document with the texts it refers to, which the caller has fetched by its own rules: each stands under `x-bailing-external`, and every
 * reference to one of them becomes a reference inside. References to anything else stay, and compiling refuses what needs them. Pure.
 *
 * @param texts by absolute URL without fragment
 */
export function bundle(text: string, url: string, texts: ReadonlyMap<string, string>): Bundled {
  const root = readRoot(text);
  if (typeof root === 'string') return { ok: false, url, says: root };
  if (texts.size === 0) return { ok: true, text };
  const self = documentUrl('', url) ?? url;
  const shelf: [string, unknown][] = [];
  for (const [where, other] of texts) {
    const part = readRoot(other);
    if (typeof part === 'string') return { ok: false, url: where, says: part };
    shelf.push([shelfName(where), rewritten(part, where, self, texts)]);
  }
  const joined = { ...(rewritten(root, self, self, texts) as Members), [SHELF]: Object.fromEntries(shelf) };
  if (!measure(joined, LIMITS).ok) return { ok: false, url, says: 'The document and what it refers to are too large together.' };
  return { ok: true, text: JSON.stringify(joined, null, 2) };
}

function readRoot(text: string): Members | string {
  const parsed = parseText(text);
  if (!parsed.ok) return parsed.message;
  if (!measure(parsed.text.value, LIMITS).ok) return 'The document is too large or too deep.';
  return isMembers(parsed.text.value) ? parsed.text.value : 'The document is not an object.';
}

function shelfName(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** A copy in which every reference leads to its new place. */
function rewritten(root: Members, url: string, self: string, texts: ReadonlyMap<string, string>): unknown {
  const targets = new Map<object, string>();
  eachRef(root, (holder, ref) => {
    const target = newPlace(ref, url, self, texts);
    if (target !== undefined) targets.set(holder, target);
  });
  const copies = new Map<object, unknown>();
  const copy = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    const known = copies.get(node);
    if (known !== undefined) return known;
    const target = targets.get(node);
    const made: unknown = Array.isArray(node)
      ? node.map(copy)
      : Object.fromEntries(
          Object.entries(node).map(([name, inner]) => [name, name === '$ref' && target !== undefined ? target : copy(inner)]),
        );
    copies.set(node, made);
    return made;
  };
  return copy(root);
}

function newPlace(ref: string, url: string, self: string, texts: ReadonlyMap<string, string>): string | undefined {
  const target = ref.startsWith('#') ? url : documentUrl(ref, url);
  const fragment = ref.includes('#') ? ref.slice(ref.indexOf('#') + 1) : '';
  if (target === undefined || (fragment !== '' && !fragment.startsWith('/'))) return undefined;
  if (target === self) return `#${fragment}`;
  if (!texts.has(target)) return documentUrl(ref, url) === undefined ? undefined : new URL(ref, url).href;
  return `#${encodeURI(at('', SHELF, shelfName(target)))}${fragment}`;
}
