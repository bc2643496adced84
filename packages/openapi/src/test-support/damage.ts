import fc from 'fast-check';
import { dump } from 'js-yaml';

/** Names and values that break compilers of documents. */
const NASTY: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    true,
    '',
    -1,
    Infinity,
    '__proto__',
    { $ref: '#' },
    { $ref: '#/paths' },
    { $ref: '#/components/schemas/Nowhere' },
    { $ref: 'http://127.0.0.1/x.json#/a' },
    { $ref: 7 },
    { type: ['string', 'nothing'] },
    { allOf: [{ $ref: '#/components/schemas' }] },
    { in: 'query', name: 'x' },
    { 'application/json': null },
    { version: 1, enabled: true, scope: 's' },
  ),
);

type Kind = 'replace' | 'remove' | 'rename' | 'copy';

export interface Wound {
  readonly kind: Kind;
  /** Where, as a share of all places. */
  readonly place: number;
  readonly other: number;
  readonly value: unknown;
}

export const wounds: fc.Arbitrary<readonly Wound[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind>('replace', 'remove', 'rename', 'copy'),
    place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    other: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    value: NASTY,
  }),
  { minLength: 1, maxLength: 6 },
);

interface Slot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function slotsOf(value: unknown, out: Slot[] = [], depth = 0): Slot[] {
  if (typeof value !== 'object' || value === null || depth > 60) return out;
  for (const key of Object.keys(value)) {
    out.push({ holder: value as Slot['holder'], key });
    slotsOf((value as Record<string, unknown>)[key], out, depth + 1);
  }
  return out;
}

/** Wounds a parsed document in several places. */
export function damage(document: unknown, list: readonly Wound[]): unknown {
  const root = structuredClone(document);
  for (const { kind, place, other, value } of list) {
    const slots = slotsOf(root);
    const slot = slots[Math.floor(place * slots.length)];
    const source = slots[Math.floor(other * slots.length)];
    if (!slot || !source) continue;
    const holder = slot.holder as Record<string, unknown>;
    const old = holder[slot.key];
    if (kind === 'remove' && Array.isArray(slot.holder)) slot.holder.splice(Number(slot.key), 1);
    else if (kind === 'remove') delete holder[slot.key];
    else if (kind === 'rename' && !Array.isArray(slot.holder)) {
      delete holder[slot.key];
      Object.defineProperty(holder, typeof value === 'string' ? value : source.key, {
        value: old,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else
      holder[slot.key] = kind === 'copy' ? structuredClone((source.holder as Record<string, unknown>)[source.key]) : structuredClone(value);
  }
  return root;
}

/** Written as JSON or YAML, and then wounded as text too. */
export function write(document: unknown, yaml: boolean, cut: readonly (readonly [number, string])[]): string {
  let text = yaml ? dump(document, { skipInvalid: true, noRefs: true }) : JSON.stringify(document, null, 1);
  for (const [share, insert] of cut) {
    const at = Math.floor(share * text.length);
    text = text.slice(0, at) + insert + text.slice(at + (insert.length % 3));
  }
  return text;
}
