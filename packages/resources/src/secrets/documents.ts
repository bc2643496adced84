import type { ObjectKind } from '../objects/kinds.js';
import { valueAt, withValueAt } from '../objects/paths.js';
import type { KeyRing } from './key-ring.js';
import { seal, sealedUnder, unseal } from './seal.js';

type Doc = Readonly<Record<string, unknown>>;

/** An object as it is stored: secrets sealed, the rest in plain sight. `ring` is asked only where there is a secret. */
export function sealObject(kind: ObjectKind, name: string, value: Doc, ring: () => KeyRing): string {
  return JSON.stringify(overSecrets(kind, value, (secret, field) => seal(secret, { kind: kind.member, name, field }, ring())));
}

/** @throws BailingError BAILING_SECRET_UNREADABLE */
export function openObject(kind: ObjectKind, name: string, doc: string, ring: () => KeyRing): Doc {
  return overSecrets(kind, JSON.parse(doc) as Doc, (sealed, field) => unseal(sealed, { kind: kind.member, name, field }, ring()));
}

/** Whether a stored object holds secrets under another key than this one. */
export function needsReseal(kind: ObjectKind, doc: string, current: string): boolean {
  const value = JSON.parse(doc) as Doc;
  return kind.secrets.some((path) => {
    const text = valueAt(value, path);
    return typeof text === 'string' && sealedUnder(text) !== current;
  });
}

function overSecrets(kind: ObjectKind, value: Doc, change: (text: string, field: string) => string): Doc {
  return kind.secrets.reduce<Doc>((whole, path) => {
    const text = valueAt(whole, path);
    return typeof text === 'string' && text !== '' ? withValueAt(whole, path, change(text, path)) : whole;
  }, value);
}
