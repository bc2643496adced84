// A hub in a process of its own, for tests that kill, stop or starve it. Settings come as JSON in BAILING_TEST_HUB.
import { createHub, type HubOptions } from '@bailing/hub';
import fs from 'node:fs';
import path from 'node:path';
import type { BailingConfig } from '@bailing/resources';
import { LEAN } from './lean-kit.js';

interface Settings {
  readonly configFile: string;
  /** The signal is sent by the process to itself when the store reaches this place for the `nth` time. */
  readonly failpoint?: string;
  readonly nth?: number;
  readonly signal?: NodeJS.Signals;
  /** The scripted model instead of the plugins of the `bailing` command, and a configuration that was read already. */
  readonly lean?: boolean;
  readonly retentionMs?: number;
}

type Kit = Pick<HubOptions, 'config' | 'cwd' | 'plugins' | 'builtins'>;

function leanKit(configFile: string): Kit {
  const config = JSON.parse(fs.readFileSync(configFile, 'utf8')) as BailingConfig;
  return { config, cwd: path.dirname(configFile), plugins: LEAN };
}

async function appKit(configFile: string): Promise<Kit> {
  const { ALWAYS, BUILTINS, loadConfig } = await import('@bailing/app');
  return { ...loadConfig(configFile), plugins: ALWAYS, builtins: BUILTINS };
}

async function main(): Promise<void> {
  const settings = JSON.parse(process.env.BAILING_TEST_HUB ?? '{}') as Settings;
  const kit = settings.lean === true ? leanKit(settings.configFile) : await appKit(settings.configFile);
  let left = settings.nth ?? 1;
  const hub = createHub({
    ...kit,
    ...(settings.retentionMs !== undefined && { duties: { retentionMs: settings.retentionMs } }),
    store: {
      failpoint: (place) => {
        if (place === settings.failpoint && --left === 0) process.kill(process.pid, settings.signal ?? 'SIGKILL');
      },
    },
  });
  process.once('SIGTERM', () => void hub.stop().then(() => process.exit(0)));
  const { url } = await hub.start();
  process.emit('listening' as never);
  process.stdout.write(`listening ${url}\n`);
}

void main();
