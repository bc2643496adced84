import type { ObjectKind } from './kinds.js';
import { valueAt } from './paths.js';
import { addressesOf, atPlace, placeText, secretPlaces, textsOf, withPlace, type Place, type SettingsSchema } from './settings.js';

type Doc = Readonly<Record<string, unknown>>;

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

/** Where the secrets of an object stand. Without `schemas` every text of a plugin's settings is one. */
function secretsOf(kind: ObjectKind, value: Doc, schemas?: SettingsSchema): readonly Place[] {
  const own = kind.secrets.filter((path) => path !== kind.settings?.member).map((path) => path.split('.'));
  return [...own, ...settingsSecrets(kind, value, schemas)];
}

function settingsSecrets(kind: ObjectKind, value: Doc, schemas?: SettingsSchema): readonly Place[] {
  const { settings } = kind;
  if (!settings) return [];
  return secretPlaces(value[settings.member], schemaOf(kind, value, schemas)).map((place) => [settings.member, ...place]);
}

function schemaOf({ member, settings }: ObjectKind, value: Doc, schemas?: SettingsSchema): ReturnType<SettingsSchema> {
  const named = settings && value[settings.named];
  return typeof named === 'string' ? schemas?.(member, named) : undefined;
}

/** The secrets of an object, as text. */
export function secretTexts(kind: ObjectKind, value: Doc, schemas?: SettingsSchema): readonly string[] {
  const values = secretsOf(kind, value, schemas).map((place) => atPlace(value, place));
  return values.flatMap((secret) => (typeof secret === 'string' || typeof secret === 'number' ? [String(secret)] : []));
}

/** An object as answers show it. */
export function masked(kind: ObjectKind, value: Doc, schemas?: SettingsSchema): Record<string, unknown> {
  return secretsOf(kind, value, schemas).reduce<Record<string, unknown>>(
    (shown, place) => {
      const secret = atPlace(value, place);
      if (isBlank(secret)) return shown;
      return withPlace(shown, place, maskOf(placeText(place), String(secret))) as Record<string, unknown>;
    },
    { ...value },
  );
}

/**
 * A change of an object, with the secrets it leaves out, blank, or sends back as they were shown (WIRE §18: blank on update is keep). Settings of another
 * kind keep nothing, and neither do lists: nobody could say which of their members is which.
 */
export function withKeptSecrets(kind: ObjectKind, raw: Doc, before: Doc, schemas?: SettingsSchema): Record<string, unknown> {
  return keptPlaces(kind, raw, before, schemas).reduce<Record<string, unknown>>(
    (whole, place) => withPlace(whole, place, atPlace(before, place)) as Record<string, unknown>,
    { ...raw },
  );
}

function keptPlaces(kind: ObjectKind, raw: Doc, before: Doc, schemas?: SettingsSchema): readonly Place[] {
  const { settings } = kind;
  const sameKind = !settings || raw[settings.named] === before[settings.named];
  return secretsOf(kind, before, schemas).filter((place) => {
    const was = atPlace(before, place);
    if (isBlank(was) || (place[0] === settings?.member && !sameKind)) return false;
    return isReachable(raw, place) && isKept(atPlace(raw, place), maskOf(placeText(place), String(was)));
  });
}

/** Whether there is an object all the way, or nothing yet. */
function isReachable(raw: Doc, place: Place): boolean {
  return place.every((name, index) => {
    const around = atPlace(raw, place.slice(0, index));
    return typeof name === 'string' && (around === undefined || (around !== null && typeof around === 'object' && !Array.isArray(around)));
  });
}

function isKept(given: unknown, mask: string): boolean {
  return isBlank(given) || given === mask;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** An address that would be sent a secret given for another one. */
export interface Moved {
  readonly at: string;
  /** The secret that is kept. */
  readonly secret: string;
}

/**
 * Addresses that an object would take its kept secrets to, away from where they were given for: another origin than the address had, and than the first
 * one had. Empty where the secrets are given again.
 */
export function movedAddresses(kind: ObjectKind, raw: Doc, before: Doc, schemas?: SettingsSchema): readonly Moved[] {
  if (kind.settings) return movedSettings(kind, raw, before, schemas);
  const { secret, addresses = [] } = kind.bound ?? {};
  if (secret === undefined) return [];
  const was = before[secret];
  if (typeof was !== 'string' || !isKept(raw[secret], maskOf(secret, was))) return [];
  const home = originOf(before[addresses[0] ?? '']);
  const moved = addresses.filter((name) => {
    const next = originOf(raw[name]);
    return next !== originOf(before[name]) && next !== home && !(next === '' && name !== addresses[0]);
  });
  return moved.map((at) => ({ at, secret }));
}

/** Any address of a plugin's settings may be where its secrets go: one that changes, one that is new, and the last one left out. */
function movedSettings(kind: ObjectKind, raw: Doc, before: Doc, schemas?: SettingsSchema): readonly Moved[] {
  const member = kind.settings?.member ?? '';
  const [first] = keptPlaces(kind, raw, before, schemas).filter(([name]) => name === member);
  if (!first) return [];
  const schema = schemaOf(kind, before, schemas);
  const was = addressesOf(before[member], schema);
  const now = addressesOf(withKeptSecrets(kind, raw, before, schemas)[member], schema);
  const homes = new Set(was.values());
  const moved = [...now]
    .filter(([at, origin]) => (was.has(at) ? was.get(at) !== origin : !homes.has(origin)))
    .map(([at]) => `${member}.${at}`);
  const lost = was.size > 0 && now.size === 0 ? [member] : [];
  return [...moved, ...lost].map((at) => ({ at, secret: placeText(first) }));
}

/** Empty where there is no address; what is no URL is its own origin, and refused elsewhere. */
function originOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return URL.canParse(value) ? new URL(value).origin : value;
}

/** Secrets that were copied from an answer or an export: they would be stored as they stand. */
export function maskedSecrets(kind: ObjectKind, raw: unknown): readonly string[] {
  const { settings } = kind;
  const own = kind.secrets.filter((path) => {
    const given = valueAt(raw, path);
    return path !== settings?.member && typeof given === 'string' && given.includes(HIDDEN);
  });
  if (!settings) return own;
  const copied = textsOf(valueAt(raw, settings.member), [settings.member]).filter(({ text }) => text === HIDDEN);
  return [...own, ...copied.map(({ place }) => placeText(place))];
}
