import type { ObjectKind } from './kinds.js';
import { valueAt, withValueAt } from './paths.js';

/** What stands where a secret is not shown. */
export const HIDDEN = '…';

/** Tokens are recognised by their ends (WIRE §1.1): longer than 9 characters, the first 5 and the last 4. */
export function maskToken(token: string): string {
  return token.length > 9 ? `${token.slice(0, 5)}${HIDDEN}${token.slice(-4)}` : HIDDEN;
}

/** What an answer shows of a secret. Keys and passwords are not shown in part. */
export function maskOf(path: string, secret: string): string {
  return path === 'token' ? maskToken(secret) : HIDDEN;
}

/** An object as answers show it. */
export function masked(kind: ObjectKind, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return kind.secrets.reduce<Record<string, unknown>>(
    (shown, path) => {
      const secret = valueAt(value, path);
      return typeof secret === 'string' && secret !== '' ? withValueAt(shown, path, maskOf(path, secret)) : shown;
    },
    { ...value },
  );
}

/**
 * A change of an object, with the secrets it leaves out, blank, or sends back as they were shown (WIRE §18: blank on update is keep).
 */
export function withKeptSecrets(
  kind: ObjectKind,
  raw: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return kind.secrets.reduce<Record<string, unknown>>(
    (whole, path) => {
      const was = valueAt(before, path);
      const given = valueAt(raw, path);
      if (typeof was !== 'string') return whole;
      return given === undefined || given === null || given === '' || given === maskOf(path, was) ? withValueAt(whole, path, was) : whole;
    },
    { ...raw },
  );
}

/**
 * Addresses that an object would take its kept secret to, away from where it was given for: another origin than the address had, and than the first one
 * had. Empty where the secret is given again.
 */
export function movedAddresses(
  kind: ObjectKind,
  raw: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { secret, addresses = [] } = kind.bound ?? {};
  if (secret === undefined) return [];
  const was = before[secret];
  const given = raw[secret];
  const isKept = given === undefined || given === null || given === '' || given === maskOf(secret, String(was));
  if (typeof was !== 'string' || !isKept) return [];
  const home = originOf(before[addresses[0] ?? '']);
  return addresses.filter((name) => {
    const next = originOf(raw[name]);
    return next !== originOf(before[name]) && next !== home && !(next === '' && name !== addresses[0]);
  });
}

/** Empty where there is no address; what is no URL is its own origin, and refused elsewhere. */
function originOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return URL.canParse(value) ? new URL(value).origin : value;
}

/** Secrets that were copied from an answer or an export: they would be stored as they stand. */
export function maskedSecrets(kind: ObjectKind, raw: unknown): readonly string[] {
  return kind.secrets.filter((path) => {
    const given = valueAt(raw, path);
    return typeof given === 'string' && given.includes(HIDDEN);
  });
}
