import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';
import type { KeyRing } from './key-ring.js';

/** `sealed:v1:<key id>:<base64url of nonce, tag and ciphertext>` */
const FORM = /^sealed:v1:([0-9a-f]{12}):([A-Za-z0-9_-]+)$/;
const NONCE = 12;
const TAG = 16;

/** Where a secret belongs. It is bound into the seal: a sealed text copied to another object or field does not open. */
export interface SealPlace {
  readonly kind: string;
  readonly name: string;
  readonly field: string;
}

/** AES-256-GCM under the current key, with a fresh nonce. */
export function seal(secret: string, place: SealPlace, { current }: KeyRing): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce, { authTagLength: TAG });
  cipher.setAAD(bound(place));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `sealed:v1:${current.id}:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/** @throws BailingError BAILING_SECRET_UNREADABLE where the key is not in the ring, or the text was changed or moved */
export function unseal(sealed: string, place: SealPlace, ring: KeyRing): string {
  const at = `${place.kind} ${place.name}, ${place.field}`;
  const id = sealedUnder(sealed);
  const key = ring.all.find((one) => one.id === id);
  if (id === null) throw new BailingError('BAILING_SECRET_UNREADABLE', { at, detail: 'It is not a sealed text.' });
  if (!key)
    throw new BailingError('BAILING_SECRET_UNREADABLE', { at, detail: `It is sealed under key ${id}, which this hub does not have.` });
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(bound(place));
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
  } catch {
    throw new BailingError('BAILING_SECRET_UNREADABLE', { at, detail: 'It was changed, or belongs to another object.' });
  }
}

/** The id of the key a text is sealed under; null for text that is not sealed. */
export function sealedUnder(text: string): string | null {
  return FORM.exec(text)?.[1] ?? null;
}

/** Lengths stand before the parts, so that no two places are bound alike. */
function bound({ kind, name, field }: SealPlace): Buffer {
  return Buffer.from([kind, name, field].map((part) => `${String(Buffer.byteLength(part))}:${part}`).join('|'));
}
