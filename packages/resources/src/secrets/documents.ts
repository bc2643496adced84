import type { ObjectKind } from '../objects/kinds.js';
import { valueAt, withValueAt } from '../objects/paths.js';
import type { KeyRing } from './key-ring.js';
import { seal, sealedUnder, unseal, type SealPlace } from './seal.js';

type Doc = Readonly<Record<string, unknown>>;

/**
 * An object as it is stored: secrets sealed, the rest in plain sight. Settings of a plugin are one sealed text: what of them is secret only that plugin
 * knows, and it need not be there to store, open and seal them anew. `ring` is asked only where there is a secret.
 */
export function sealObject(kind: ObjectKind, name: string, value: Doc, ring: () => KeyRing): string {
  return JSON.stringify(
    overSecrets(kind, withSettings(kind, value, written), (text, field) => seal(text, placeOf(kind, name, field), ring())),
  );
}

/** @throws BailingError BAILING_SECRET_UNREADABLE */
export function openObject(kind: ObjectKind, name: string, doc: string, ring: () => KeyRing): Doc {
  const opened = overSecrets(kind, JSON.parse(doc) as Doc, (sealed, field) => unseal(sealed, placeOf(kind, name, field), ring()));
  return withSettings(kind, opened, (text) => (typeof text === 'string' ? (JSON.parse(text) as unknown) : text));
}

function placeOf({ member }: ObjectKind, name: string, field: string): SealPlace {
  return { kind: member, name, field };
}

function withSettings({ settings }: ObjectKind, value: Doc, change: (settings: unknown) => unknown): Doc {
  const before = settings && value[settings.member];
  return settings && before !== undefined ? { ...value, [settings.member]: change(before) } : value;
}

/** As text, to be sealed; what is empty holds no secret. */
function written(settings: unknown): unknown {
  const text = JSON.stringify(settings);
  return text === '{}' ? settings : text;
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
