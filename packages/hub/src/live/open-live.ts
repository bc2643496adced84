import path from 'node:path';
import type { Store } from '@bailing/engine/ports';
import type { AdminsApi, ObjectsApi } from '@bailing/http';
import type { Clock, Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { Channels } from '../channels.js';
import type { Tools } from '../tools.js';
import { adminsApi } from '../admins/admins.js';
import { incomingAdmin } from '../admins/incoming.js';
import { Keys } from './keys.js';
import { LiveConfig } from './live-config.js';
import { objectsDesk } from './objects-desk.js';
import { observedProviders } from './observed.js';

export interface LiveOptions {
  readonly file: BailingConfig;
  readonly store: Pick<Store, 'objects' | 'jobs'>;
  /** Folder that paths in the configuration start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly pollMs?: number | undefined;
}

/** File and database together, before anything is made from them. Read it with `open`. */
export function createLive({ file, store, cwd, env, log, clock, pollMs }: LiveOptions): LiveConfig {
  const made = (keyFile: string) => log.warn('a key for secrets at rest was made; back it up', { file: keyFile });
  const keys = new Keys({ env, file: path.resolve(cwd, file.hub.secret_key_file), made });
  return new LiveConfig({ file, objects: store.objects, keys, log, now: () => clock.now(), ...(pollMs !== undefined && { pollMs }) });
}

/** The operators' door to configuration objects. A saved tool provider is probed once its document is installed (WIRE §4.5). */
export function openObjects(
  live: LiveConfig,
  store: Pick<Store, 'jobs'>,
  clock: Clock,
  { api, providers }: Tools,
  channels: Channels,
): ObjectsApi {
  return objectsDesk({
    live,
    settings: channels.settingsSchema,
    now: () => clock.now(),
    note: (line) => store.jobs.note([line]),
    incoming: { admins: incomingAdmin },
    observed: { tool_providers: observedProviders(api) },
    saved: {
      tool_providers: async (name) => {
        return { authz_probe: await providers.probeSaved(name) };
      },
    },
  });
}

/** Administrators, as file and database have them now; sessions and failures live in the store. */
export function openAdmins(live: LiveConfig, objects: ObjectsApi, store: Pick<Store, 'records' | 'jobs'>, clock: Clock): AdminsApi {
  return adminsApi({
    admins: () => live.config.admins,
    sessions: store.records('hub.sessions'),
    failures: store.records('hub.login-failures'),
    clock,
    note: (line) => store.jobs.note([line]),
    setHash: async (username, password_hash, by) => {
      const { view } = await objects.get('admins', username);
      const { managed: _managed, updated_at: _at, updated_by: _by, ...rest } = view;
      await objects.save('admins', username, { ...rest, password_hash }, {}, { by, method: 'POST', path: '/admin/api/password' });
    },
  });
}
