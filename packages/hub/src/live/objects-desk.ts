import { randomBytes } from 'node:crypto';
import { line } from '@bailing/engine';
import type { Line } from '@bailing/engine/ports';
import {
  InvalidObject,
  type Expectation,
  type ObjectAnswer,
  type ObjectsApi,
  type ObjectView,
  type SavedObject,
  type WriteCause,
} from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import { kindOf, listOf, masked, objectKinds, valueAt, type ObjectKind, type ObjectMember, type SettingsSchema } from '@bailing/resources';
import { applyObjects } from './apply.js';
import { configChange } from './config-change.js';
import { judgeOf } from './judge.js';
import { changedFields, readWhole, type IncomingByMember } from './read-whole.js';
import type { Draft, Kept, Known, LiveConfig } from './live-config.js';

type Doc = Readonly<Record<string, unknown>>;

export interface ObjectsDeskDeps {
  readonly live: LiveConfig;
  readonly now: () => number;
  /** How settings that a plugin gives look: what of them is secret. */
  readonly settings: SettingsSchema;
  /** Writes an audit line beside any change. */
  readonly note: (line: Line) => Promise<void>;
  /** What answers show of an object besides itself: what was observed of it. `whole` is false in lists. */
  readonly observed?: Readonly<Partial<Record<ObjectMember, Observed>>>;
  /** What becomes of an object before it is read: a password becomes its hash. */
  readonly incoming?: IncomingByMember;
  /** Runs after an object was saved and swapped in; its answer is part of the reply. */
  readonly saved?: Readonly<Partial<Record<ObjectMember, (name: string) => Promise<Doc>>>>;
}

export interface Observed {
  show(name: string, view: ObjectView, whole: boolean): Promise<ObjectView>;
  /** Members it adds: sent back with an object they are not part of it. */
  readonly adds: readonly string[];
}

const FILE_TAG = '"file"';
/** Of one kind, in file and database together. */
const MAX_OBJECTS = 10_000;

/** Configuration objects behind the HTTP service. */
export function objectsDesk(deps: ObjectsDeskDeps): ObjectsApi {
  return {
    list: (member, after, limit) => list(kindOf(member), after, limit, deps),
    get: (member, name) => get(kindOf(member), name, deps),
    save: (member, name, body, expects, cause) => save(kindOf(member), name, body, expects, cause, deps),
    remove: (member, name, expects, cause) => remove(kindOf(member), name, expects, cause, deps),
    apply: (request, cause) => applyObjects(request, cause, deps),
    export: () => Promise.resolve(exported(deps)),
    reveal: async (member, name, by) => {
      const kind = kindOf(member);
      const { value } = found(kind, name, deps.live);
      const secret = kind.reveals ? valueAt(value, kind.reveals.field) : undefined;
      if (!kind.reveals || typeof secret !== 'string') throw new BailingError('BAILING_REQUEST_NOT_FOUND');
      // The evidence goes first: what cannot be recorded is not shown.
      await deps.note(line(kind.reveals.event, { job: '-', requestId: 'config' }, deps.now(), { by: by.name, name }));
      return secret;
    },
  };
}

function exported({ live, settings }: ObjectsDeskDeps): Readonly<Record<string, readonly object[]>> {
  const kept = [...live.state.kept.values()];
  return Object.fromEntries(
    objectKinds.map((kind) => [
      kind.member,
      kept.filter(({ member }) => member === kind.member).map(({ value }) => masked(kind, value, settings)),
    ]),
  );
}

async function list(kind: ObjectKind, after: string, limit: number, deps: ObjectsDeskDeps): ReturnType<ObjectsApi['list']> {
  const names = listOf(deps.live.config, kind.member)
    .map((one) => String(one[kind.key]))
    .filter((name) => name > after)
    .sort((a, b) => (a < b ? -1 : 1));
  const page = names.slice(0, limit);
  const items = await Promise.all(page.map(async (name) => (await get(kind, name, deps, false)).view));
  const last = page.at(-1);
  return { items, ...(names.length > page.length && last !== undefined && { next: last }) };
}

async function get(kind: ObjectKind, name: string, deps: ObjectsDeskDeps, whole = true): Promise<ObjectAnswer> {
  const one = found(kind, name, deps.live);
  const view = viewOf(kind, one, deps.settings);
  const observed = deps.observed?.[kind.member];
  return { view: observed ? await observed.show(name, view, whole) : view, etag: one.kept ? tagOf(one.kept) : FILE_TAG };
}

function noSuch(member: string, name: string): BailingError {
  return new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `There is no ${JSON.stringify(name.slice(0, 64))} in ${member}.` });
}

interface Found {
  readonly value: Doc;
  /** Absent for objects of the file. */
  readonly kept?: Kept;
}

function found({ member, key }: ObjectKind, name: string, live: LiveConfig): Found {
  const value = listOf(live.config, member).find((one) => one[key] === name);
  if (!value) throw noSuch(member, name);
  const kept = live.state.kept.get(`${member}/${name}`);
  return { value, ...(kept && !live.owns(member, name) && { kept }) };
}

function viewOf(kind: ObjectKind, { value, kept }: Found, settings: SettingsSchema): ObjectView {
  const shown = masked(kind, value, settings);
  if (!kept) return { ...shown, managed: 'file' };
  return { ...shown, managed: 'database', updated_at: new Date(kept.updatedAt).toISOString(), updated_by: kept.updatedBy };
}

function tagOf({ rev }: Kept): string {
  return `"${String(rev)}"`;
}

async function save(
  kind: ObjectKind,
  named: string | null,
  body: unknown,
  expects: Expectation,
  cause: WriteCause,
  deps: ObjectsDeskDeps,
): Promise<SavedObject> {
  const result = await deps.live.change(cause.by.name, (known) => draftOf(kind, named, body, expects, cause, known, deps));
  const more = (await deps.saved?.[kind.member]?.(result.name)) ?? {};
  return { ...(await get(kind, result.name, deps)), created: result.created, shown: result.shown, more };
}

type Saving = Draft<{ name: string; created: boolean; shown: Readonly<Record<string, string>> }>;

async function draftOf(
  kind: ObjectKind,
  named: string | null,
  body: unknown,
  expects: Expectation,
  cause: WriteCause,
  known: Known,
  deps: ObjectsDeskDeps,
): Promise<Saving> {
  const { live, now, observed } = deps;
  const { raw, name, rotate } = readBody(kind, named, body, observed?.[kind.member]?.adds ?? []);
  refuseFileOwned(kind, name, live);
  const before = known.kept.get(`${kind.member}/${name}`);
  refuseUnexpected(before, expects);
  if (!before && listOf(live.config, kind.member).length >= MAX_OBJECTS)
    throw new InvalidObject([{ at: '', says: `There are ${String(MAX_OBJECTS)} already.` }]);
  const { value, shown } = await readWhole(kind, raw, before, { rotate, ...deps });
  const fields = changedFields(before?.value, value);
  return {
    writes: before && fields.length === 0 ? [] : [{ member: kind.member, name, value }],
    lines: [configChange(cause, now(), { kind: kind.member, name, change: before ? 'updated' : 'created', fields })],
    judge: judgeOf(kind.member, name),
    answer: () => ({ name, created: !before, shown }),
  };
}

const made = (before: string) => () => `${before}-${randomBytes(4).toString('hex')}`;
const MADE_NAMES: Readonly<Partial<Record<ObjectMember, () => string>>> = { clients: made('app'), alert_rules: made('alert') };

/** Members that answers add; sent back with an object they are not part of it. */
const SHOWN_ONLY = ['managed', 'updated_at', 'updated_by'];

function readBody(
  kind: ObjectKind,
  named: string | null,
  body: unknown,
  adds: readonly string[],
): { raw: Record<string, unknown>; name: string; rotate: boolean } {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new InvalidObject([{ at: '', says: 'It must be an object.' }]);
  const { rotate_token: rotate, ...rest } = body as Readonly<Record<string, unknown>>;
  if (rotate !== undefined && (kind.makes !== 'token' || typeof rotate !== 'boolean'))
    throw new InvalidObject([{ at: 'rotate_token', says: kind.makes ? 'It must be true or false.' : 'It is not part of this object.' }]);
  const raw: Record<string, unknown> = Object.fromEntries(Object.entries(rest).filter(([key]) => ![...SHOWN_ONLY, ...adds].includes(key)));
  if (named !== null && raw[kind.key] !== undefined && raw[kind.key] !== named)
    throw new InvalidObject([{ at: kind.key, says: 'It is not the name in the address; an object keeps its name.' }]);
  // A client with a name for people, or an alert rule, gets the name it is known by from the hub (WIRE §18); a client with neither is a mistake.
  if (kind.member === 'clients' && named === null && isMissing(raw['app_id']) && isMissing(raw['name']))
    throw new InvalidObject([{ at: 'name', says: 'A client needs a name, or an app_id.' }]);
  const name = named ?? raw[kind.key] ?? MADE_NAMES[kind.member]?.();
  raw[kind.key] = name;
  return { raw, name: typeof name === 'string' ? name : '', rotate: rotate === true };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

async function remove(kind: ObjectKind, name: string, expects: Expectation, cause: WriteCause, deps: ObjectsDeskDeps): Promise<void> {
  const { live, now } = deps;
  await live.change(cause.by.name, (known): Draft<void> => {
    refuseFileOwned(kind, name, live);
    const before = known.kept.get(`${kind.member}/${name}`);
    if (!before) throw noSuch(kind.member, name);
    refuseUnexpected(before, expects);
    return {
      writes: [{ member: kind.member, name, value: null }],
      lines: [configChange(cause, now(), { kind: kind.member, name, change: 'deleted' })],
      judge: judgeOf(kind.member, name),
      answer: () => undefined,
    };
  });
}

function refuseFileOwned({ member, noun }: ObjectKind, name: string, live: LiveConfig): void {
  if (live.owns(member, name)) throw new BailingError('BAILING_OBJECT_FILE_OWNED', { at: `${noun} ${name}` });
}

function refuseUnexpected(before: Kept | undefined, { match, create }: Expectation): void {
  if (create === true && before) throw new BailingError('BAILING_OBJECT_EXISTS');
  if (match === undefined) return;
  const tags = match.split(',').map((one) => one.trim());
  if (!before || !(tags.includes('*') || tags.includes(tagOf(before)))) throw new BailingError('BAILING_OBJECT_CHANGED');
}
