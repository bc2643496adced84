import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { line } from '@bailing/engine';
import type { Line } from '@bailing/engine/ports';
import { LoginThrottled, type AdminCaller, type AdminsApi, type Credentials } from '@bailing/http';
import { BailingError, type Clock, type Records } from '@bailing/plugin-api';
import { costOf, hashPassword, isPassword, NEW_COST, ROLES, spendCost, type AdminResource } from '@bailing/resources';
import { Failures } from './failures.js';

export interface AdminsDeps {
  /** As they are now. */
  readonly admins: () => readonly AdminResource[];
  readonly sessions: Records;
  readonly failures: Records;
  readonly clock: Clock;
  readonly note: (line: Line) => Promise<void>;
  /** Stores another hash. @throws BailingError 409 for administrators of the file */
  readonly setHash: (username: string, hash: string, by: AdminCaller) => Promise<void>;
}

interface Session {
  readonly username: string;
  /** Of the password it began with: another password ends it. */
  readonly stamp: string;
  readonly seen: number;
}

const WEEK_MS = 604_800_000;
/** A session slides, but not with every request. */
const SLIDE_MS = 3_600_000;
/** Hashing costs memory and a thread; who comes when this many wait is sent away. */
const MAX_HASHING = 16;

/** Administrators: login, sessions shared by all hubs, and what their roles may do (WIRE §1.5). */
export function adminsApi(deps: AdminsDeps): AdminsApi {
  const { sessions, clock } = deps;
  const failures = new Failures(deps.failures, clock);
  const hashing = new Room(MAX_HASHING);

  const verify = async ({ username, password, address }: Credentials): Promise<AdminResource> => {
    await failures.begin(username, address);
    const admins = deps.admins();
    const admin = admins.find((one) => one.username === username && one.enabled);
    const right = await hashing.run(() => matches(password, admin, admins));
    if (!admin || !right) {
      await deps.note(event('admin_login_failed', clock.now(), { by: admin ? username : '(unknown)', address }));
      throw new BailingError('BAILING_LOGIN_REFUSED');
    }
    await failures.forgive(username, address);
    return admin;
  };

  return {
    login: async (credentials) => {
      const admin = await verify(credentials);
      const cookie = randomBytes(24).toString('hex');
      const { username } = admin;
      await put(sessions, cookie, { username, stamp: stampOf(admin), seen: clock.now() });
      await deps.note(event('admin_login', clock.now(), { by: username, address: credentials.address }));
      return { cookie, username, displayName: admin.display_name ?? username };
    },
    logout: (cookie) => sessions.drop(keyOf(cookie)),
    session: async (cookie) => {
      const kept = await sessions.get(keyOf(cookie));
      if (!kept) return null;
      const session = JSON.parse(kept.value) as Session;
      const admin = deps.admins().find(({ username, enabled }) => enabled && username === session.username);
      if (!admin || stampOf(admin) !== session.stamp) return null;
      if (clock.now() - session.seen > SLIDE_MS) await put(sessions, cookie, { ...session, seen: clock.now() });
      return { kind: 'admin', name: admin.username, via: 'session', role: admin.role, perms: ROLES[admin.role] ?? [] };
    },
    changePassword: async (by, { old, next, address }) => {
      if (by.via !== 'session') throw new BailingError('BAILING_REQUEST_FORBIDDEN', { detail: 'Log in to change your own password.' });
      await verify({ username: by.name, password: old, address });
      await deps.setHash(by.name, await hashing.run(() => hashPassword(next)), by);
    },
  };
}

/**
 * Passwords of the file are compared as digests, those of the database by their hash. Every login costs one check of each cost that any administrator's
 * hash has, whoever it names: old hashes are cheaper than new ones, and the time would tell who has one, or whether there is such a name.
 */
async function matches(password: string, admin: AdminResource | undefined, admins: readonly AdminResource[]): Promise<boolean> {
  const own = admin?.password_hash;
  const right = own === undefined ? false : await isPassword(password, own);
  const spent = own === undefined ? undefined : costOf(own);
  for (const cost of costsOf(admins)) if (cost !== spent) await spendCost(password, cost);
  return right || (admin?.password !== undefined && own === undefined && timingSafeEqual(digest(password), digest(admin.password)));
}

/** One at least, the one of new hashes; in an order of their own. */
function costsOf(admins: readonly AdminResource[]): ReadonlySet<string> {
  const costs = admins.flatMap(({ password_hash: hash }) => (hash === undefined ? [] : [costOf(hash)]));
  return new Set([NEW_COST, ...costs.filter((cost) => cost !== undefined)]);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function stampOf({ password, password_hash: hash }: AdminResource): string {
  return digest(`session of ${hash ?? password ?? ''}`)
    .toString('hex')
    .slice(0, 32);
}

/** The store knows a cookie by its hash only. */
function keyOf(cookie: string): string {
  return digest(cookie).toString('hex');
}

async function put(sessions: Records, cookie: string, session: Session): Promise<void> {
  await sessions.put(keyOf(cookie), JSON.stringify(session), { ttlMs: WEEK_MS, tag: session.username });
}

function event(name: string, at: number, detail: Readonly<Record<string, unknown>>): Line {
  return line(name, { job: '-', requestId: 'config' }, at, detail);
}

/** So many at once and no more. */
class Room {
  private inside = 0;

  constructor(private readonly max: number) {}

  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.inside >= this.max) throw new LoginThrottled('Too many logins at once.', 1);
    this.inside += 1;
    try {
      return await work();
    } finally {
      this.inside -= 1;
    }
  }
}
