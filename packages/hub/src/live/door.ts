import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Store } from '@bailing/engine/ports';
import type { AdminCaller, ObjectsApi } from '@bailing/http';
import { BailingError, type Log, type Plugin } from '@bailing/plugin-api';
import { kindOf, type BailingConfig } from '@bailing/resources';
import { openStore } from '@bailing/store';
import { incomingAdmin } from '../admins/incoming.js';
import { channelProblems, channelSettings } from '../check-channels.js';
import { configChange } from './config-change.js';
import { Keys } from './keys.js';
import { LiveConfig, type Prepared } from './live-config.js';
import { objectsDesk } from './objects-desk.js';
import { rotateSecrets, type Rotation } from './rotate.js';

export interface ConfigDoorOptions {
  readonly config: BailingConfig;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Those of the configuration: they know the settings of channels. Without them all of those settings count as secret, and are not judged. */
  readonly plugins?: readonly Plugin[];
}

/** The objects of a database without a hub: for commands. Hubs that run on it see a change within a second. */
export interface ConfigDoor {
  readonly objects: ObjectsApi;
  close(): Promise<void>;
}

/** @throws BailingError where the database cannot be opened, or file and database do not fit */
export async function openConfigDoor(options: ConfigDoorOptions): Promise<ConfigDoor> {
  const store = await open(options.config);
  try {
    const keys = keysOf(options);
    const prepare = (config: BailingConfig): Prepared => judged(config, live.config, options.plugins);
    const live: LiveConfig = new LiveConfig({
      file: options.config,
      objects: store.objects,
      keys,
      log: options.log,
      now: Date.now,
      prepare,
    });
    await live.open();
    const note: (line: Parameters<Store['jobs']['note']>[0][number]) => Promise<void> = (line) => store.jobs.note([line]);
    const settings = channelSettings(options.plugins ?? []);
    const objects = objectsDesk({ live, now: Date.now, note, settings, incoming: { admins: incomingAdmin } });
    return { objects, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Nothing runs here, so nothing is opened; channels that are new or changed are held against their kinds. @throws BailingError BAILING_CONFIG_INVALID */
function judged(config: BailingConfig, before: BailingConfig, plugins: readonly Plugin[] | undefined): Prepared {
  const known = new Set(before.channels.map((row) => JSON.stringify(row)));
  const changed = plugins ? config.channels.filter((row) => !known.has(JSON.stringify(row))) : [];
  const [first] = channelProblems(changed, plugins ?? []);
  if (first) throw new BailingError('BAILING_CONFIG_INVALID', { at: first.at, detail: first.says });
  return { swap: () => undefined, discard: () => undefined };
}

/** Seals every secret of the database anew. @throws BailingError */
export async function rotateConfigSecrets(options: ConfigDoorOptions, dropOld: boolean): Promise<Rotation> {
  const store = await open(options.config);
  try {
    const { env, config, cwd } = options;
    return await rotateSecrets({ objects: store.objects, env, file: path.resolve(cwd, config.hub.secret_key_file), dropOld });
  } finally {
    await store.close();
  }
}

/** Removes an object from the database as it stands, also where it keeps a hub from starting. @throws BAILING_REQUEST_NOT_FOUND */
export async function deleteFromDatabase(options: ConfigDoorOptions, member: string, name: string, by: AdminCaller): Promise<void> {
  const store = await open(options.config);
  try {
    const kind = kindOf(member);
    const { rev, names } = await store.objects.since(Number.MAX_SAFE_INTEGER);
    if (!names.has(`${kind.member}/${name}`))
      throw new BailingError('BAILING_REQUEST_NOT_FOUND', { detail: `The database has no ${kind.noun} ${name}.` });
    const cause = { by, method: 'DELETE', path: 'bailing objects delete' };
    const lines = [configChange(cause, Date.now(), { kind: kind.member, name, change: 'deleted' })];
    const written = await store.objects.write(rev, [{ kind: kind.member, name, doc: null }], by.name, lines);
    if (written === 'moved')
      throw new BailingError('BAILING_STORE_BUSY', { detail: 'Others changed the configuration at the same moment.' });
  } finally {
    await store.close();
  }
}

function open(config: BailingConfig): Promise<Store> {
  return openStore({ url: config.hub.database, replica: `command:${randomUUID()}` });
}

function keysOf({ env, config, cwd, log }: ConfigDoorOptions): Keys {
  const made = (file: string) => log.warn('a key for secrets at rest was made; back it up', { file });
  return new Keys({ env, file: path.resolve(cwd, config.hub.secret_key_file), made });
}
