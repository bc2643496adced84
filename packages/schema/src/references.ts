import { quoteName, type Token } from './place.js';

/** One `$ref` and where it stands. */
export interface Reference {
  readonly to: string;
  readonly at: readonly Token[];
}

/** Everything a reference can lead to inside one schema. */
export interface Targets {
  readonly root: unknown;
  /** The schema objects that were read; anything else in the tree is data. */
  readonly schemas: ReadonlySet<unknown>;
  readonly anchors: ReadonlySet<string>;
}

/** Why a reference cannot be followed; undefined where it can. References never leave the schema. */
export function refuseReference({ to }: Reference, { root, schemas, anchors }: Targets): string | undefined {
  const nowhere = `The reference ${quoteName(to)} leads nowhere inside the schema.`;
  if (to === '#' || to === '#/') return undefined;
  if (!to.startsWith('#')) return nowhere;
  if (!to.startsWith('#/')) return anchors.has(to.slice(1)) ? undefined : nowhere;
  const target = follow(to.slice(2), root);
  if (typeof target === 'boolean' || schemas.has(target)) return undefined;
  return target === undefined ? nowhere : `The reference ${quoteName(to)} leads to something that is not a schema.`;
}

function follow(pointer: string, root: unknown): unknown {
  let here = root;
  for (const raw of pointer.split('/')) {
    const name = decode(raw);
    if (typeof here !== 'object' || here === null || name === undefined || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}

function decode(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
