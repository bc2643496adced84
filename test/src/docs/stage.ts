import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HubOptions } from '@bailing/hub';
import { deskHub, SCRIPTED } from '../support/desk.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, makeWorld, SECRET, SERVER_TOKEN, type World, type WorldOptions } from '../support/world.js';
import { makeCheckout } from './checkout.js';

/** Where the commands of a page are run. */
export interface Stage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the page says, and what stands for it here: addresses, ids of examples. The first match of a text wins. */
  readonly words: readonly (readonly [from: string, to: string])[];
  close(): Promise<void>;
}

export interface HubStage extends Stage {
  readonly hub: RunningHub;
  readonly world: World;
}

/** A checkout with a configured hub that runs, the example business behind it, and the names of the configuration in the environment. */
export async function besideHub(options: WorldOptions = {}, more: Partial<HubOptions> = {}): Promise<HubStage> {
  const world = await makeWorld({ ...SCRIPTED, ...options, more: [SCRIPTED.more, options.more ?? ''].join('\n') });
  const hub = await deskHub(world, more);
  const env = {
    ...makeCheckout(world.folder),
    BAILING_URL: hub.url,
    BAILING_TOKEN: SERVER_TOKEN,
    CLIENT_TOKEN,
    TOKEN: CLIENT_TOKEN,
    ORDERS_SECRET: SECRET,
    ANN_PASSWORD: 'a password of eighteen',
  };
  return {
    folder: world.folder,
    env,
    hub,
    world,
    words: [
      ['http://127.0.0.1:18900', hub.url],
      ['http://127.0.0.1:18901', world.service.url],
      ['http://127.0.0.1:18920', world.service.url],
    ],
    close: async () => {
      await hub.hub.stop();
      await world.close();
    },
  };
}

/** A checkout and nothing else: what runs is started by the page. */
export function emptyCheckout(env: Readonly<Record<string, string>> = {}, words: Stage['words'] = []): Stage {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-docs-'));
  const close = () => Promise.resolve(fs.rmSync(folder, { recursive: true, force: true }));
  return { folder, env: { ...makeCheckout(folder), ...env }, words, close };
}
