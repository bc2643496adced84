import { createHash, hkdfSync } from 'node:crypto';
import { BailingError } from '@bailing/plugin-api';

/** One key secrets are sealed with. `id` names it in every sealed text and tells nothing about it. */
export interface SealKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The key that seals, and every key that opens: after a rotation earlier ones stay until nothing needs them. */
export interface KeyRing {
  readonly current: SealKey;
  readonly all: readonly SealKey[];
}

const MIN_TEXT = 32;
const MAX_KEYS = 16;

/**
 * Reads keys from text, the sealing one first: separated by line breaks or commas, each of any form and length from 32 characters on. Lines that begin with
 * `#` are remarks.
 * @param from where the text stands, for the refusal
 * @throws BailingError BAILING_SECRET_KEY_INVALID
 */
export function readKeyRing(text: string, from: string): KeyRing {
  const texts = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const refuse = (detail: string) => new BailingError('BAILING_SECRET_KEY_INVALID', { at: from, detail });
  if (texts.length > MAX_KEYS) throw refuse(`It holds more than ${String(MAX_KEYS)} keys.`);
  const short = texts.findIndex((one) => one.length < MIN_TEXT);
  if (short >= 0) throw refuse(`Key ${String(short + 1)} has fewer than ${String(MIN_TEXT)} characters.`);
  const all = texts.map(keyOf);
  const [current] = all;
  if (!current) throw refuse('It holds no key.');
  return { current, all };
}

/** Any text becomes 256 bits; its id is a hash of those bits under a name of its own. */
function keyOf(text: string): SealKey {
  const bytes = new Uint8Array(hkdfSync('sha256', text, 'bailing', 'secrets at rest', 32));
  const id = createHash('sha256').update('bailing key id').update(bytes).digest('hex').slice(0, 12);
  return Object.freeze({ id, bytes });
}
