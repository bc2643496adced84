import { randomBytes } from 'node:crypto';
import { InvalidObject } from '@bailing/http';
import { hashPassword } from '@bailing/resources';
import type { Incoming } from '../live/read-whole.js';

const MIN = 8;
const MAX = 256;

/** A password that comes with an administrator is stored as its hash; a new administrator without one gets one, shown once (WIRE §18). */
export const incomingAdmin: Incoming = async (raw, exists) => {
  const { password, ...rest } = raw;
  const blank = password === undefined || password === null || password === '';
  if (blank && (exists || (rest['password_hash'] !== undefined && rest['password_hash'] !== ''))) return { raw: rest, shown: {} };
  const made = blank ? randomBytes(12).toString('base64url') : password;
  if (typeof made !== 'string' || made.length < MIN || made.length > MAX)
    throw new InvalidObject([{ at: 'password', says: `It must be a text of ${String(MIN)} to ${String(MAX)} characters.` }]);
  return { raw: { ...rest, password_hash: await hashPassword(made) }, shown: blank ? { password: made } : {} };
};
