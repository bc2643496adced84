import { randomBytes } from 'node:crypto';
import { InvalidObject } from '@bailing/http';
import {
  maskedSecrets,
  movedAddresses,
  readObject,
  withKeptSecrets,
  type ObjectKind,
  type ObjectMember,
  type SettingsSchema,
} from '@bailing/resources';
import { createSchemaCheck } from '@bailing/schema';
import type { Kept } from './live-config.js';

type Doc = Readonly<Record<string, unknown>>;

/** What becomes of an object before it is read; `shown` is told in the answer, once. */
export type Incoming = (
  raw: Doc,
  before: Doc | undefined,
) => Promise<{ readonly raw: Doc; readonly shown: Readonly<Record<string, string>> }>;
export type IncomingByMember = Readonly<Partial<Record<ObjectMember, Incoming>>>;

export interface ReadOptions {
  /** Makes another token. */
  readonly rotate: boolean;
  readonly settings: SettingsSchema;
  readonly incoming?: IncomingByMember;
}

/** Secrets that were left out are kept or made; the whole is read as strictly as a file. @throws InvalidObject */
export async function readWhole(
  kind: ObjectKind,
  sent: Doc,
  before: Kept | undefined,
  { rotate, settings, incoming = {} }: ReadOptions,
): Promise<{ readonly value: Doc; readonly shown: Readonly<Record<string, string>> }> {
  refuseMasked(kind, before ? withKeptSecrets(kind, sent, before.value, settings) : sent);
  if (before) refuseMoved(kind, sent, before.value, settings);
  const { raw, shown: told } = (await incoming[kind.member]?.(sent, before?.value)) ?? { raw: sent, shown: {} };
  const shown: Record<string, string> = { ...told };
  const given = { ...(before ? withKeptSecrets(kind, raw, before.value, settings) : raw) };
  if (kind.makes && (rotate || isBlank(given[kind.makes]))) given[kind.makes] = shown[kind.makes] = randomBytes(16).toString('hex');
  else if (kind.makes && !before) shown[kind.makes] = String(given[kind.makes]);
  for (const path of kind.secrets) if (!path.includes('.') && isBlank(given[path])) delete given[path];
  const reading = readObject(kind, given);
  if (reading.ok) return { value: reading.value, shown };
  throw new InvalidObject(reading.problems.map(({ path, says }) => ({ at: path, says })));
}

function refuseMasked(kind: ObjectKind, given: Doc): void {
  const copied = maskedSecrets(kind, given);
  if (copied.length === 0) return;
  throw new InvalidObject(
    copied.map((at) => ({ at, says: 'It is masked.' })),
    'BAILING_SECRET_MASKED',
  );
}

/** A key that nobody can read must not be had by sending it to an address of one's own. */
function refuseMoved(kind: ObjectKind, sent: Doc, before: Doc, settings: SettingsSchema): void {
  const moved = movedAddresses(kind, sent, before, settings);
  if (moved.length === 0) return;
  refuseMalformed(kind, withKeptSecrets(kind, sent, before, settings), settings);
  throw new InvalidObject(
    moved.map(({ at, secret }) => ({
      at,
      says: `It leads to another origin, and ${secret} was given for the one before; send ${secret} again.`,
    })),
    'BAILING_SECRET_MOVED',
  );
}

/** What is no address at all leads nowhere: whoever sends it is told that, and not to send a key along. */
function refuseMalformed(kind: ObjectKind, whole: Doc, settings: SettingsSchema): void {
  const reading = readObject(kind, whole);
  if (!reading.ok) throw new InvalidObject(reading.problems.map(({ path, says }) => ({ at: path, says })));
  if (!kind.settings) return;
  const { member, named } = kind.settings;
  const compiled = createSchemaCheck().compileConfig(settings(kind.member, String(reading.value[named])) ?? {});
  const checked = compiled.ok ? compiled.check(reading.value[member]) : compiled;
  if (compiled.ok && !checked.ok)
    throw new InvalidObject(checked.problems.map(({ at, says }) => ({ at: [member, at].filter(Boolean).join('.'), says })));
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Names of the members that differ. */
export function changedFields(before: Doc | undefined, after: Doc): readonly string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
}
