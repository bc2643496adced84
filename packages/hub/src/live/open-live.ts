import path from 'node:path';
import type { Store } from '@bailing/engine/ports';
import type { ObjectsApi } from '@bailing/http';
import type { Clock, Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { Tools } from '../tools.js';
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
export function openObjects(live: LiveConfig, store: Pick<Store, 'jobs'>, clock: Clock, { api, providers }: Tools): ObjectsApi {
  return objectsDesk({
    live,
    now: () => clock.now(),
    note: (line) => store.jobs.note([line]),
    observed: { tool_providers: observedProviders(api) },
    saved: {
      tool_providers: async (name) => {
        return { authz_probe: await providers.probeSaved(name) };
      },
    },
  });
}
