import { randomBytes } from 'node:crypto';
import { InvalidObject } from '@bailing/http';
import { hashPassword, isPassword } from '@bailing/resources';
import type { Incoming } from '../live/read-whole.js';

const MIN = 8;
const MAX = 256;

/** A password that comes with an administrator is stored as its hash; a new administrator without one gets one, shown once (WIRE §18). */
export const incomingAdmin: Incoming = async (raw, before) => {
  const { password, ...rest } = raw;
  const blank = password === undefined || password === null || password === '';
  if (blank && (before !== undefined || (rest['password_hash'] !== undefined && rest['password_hash'] !== '')))
    return { raw: rest, shown: {} };
  const made = blank ? randomBytes(12).toString('base64url') : password;
  if (typeof made !== 'string' || made.length < MIN || made.length > MAX)
    throw new InvalidObject([{ at: 'password', says: `It must be a text of ${String(MIN)} to ${String(MAX)} characters.` }]);
  const was = before?.['password_hash'];
  // The password it has already is no change.
  const kept = typeof was === 'string' && (await isPassword(made, was)) ? was : await hashPassword(made);
  return { raw: { ...rest, password_hash: kept }, shown: blank ? { password: made } : {} };
};
