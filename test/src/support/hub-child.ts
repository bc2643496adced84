// A hub in a process of its own, for tests that kill it. Settings come as JSON in BAILING_TEST_HUB.
import { ALWAYS, BUILTINS, loadConfig } from '@bailing/app';
import { createHub } from '@bailing/hub';

interface Settings {
  readonly configFile: string;
  /** The process ends itself with SIGKILL when the store reaches this place for the `nth` time. */
  readonly failpoint?: string;
  readonly nth?: number;
}

const settings = JSON.parse(process.env.BAILING_TEST_HUB ?? '{}') as Settings;
const { config, cwd } = loadConfig(settings.configFile);
let left = settings.nth ?? 1;
const hub = createHub({
  config,
  cwd,
  plugins: ALWAYS,
  builtins: BUILTINS,
  store: {
    failpoint: (place) => {
      if (place === settings.failpoint && --left === 0) process.kill(process.pid, 'SIGKILL');
    },
  },
});
process.once('SIGTERM', () => void hub.stop().then(() => process.exit(0)));
const { url } = await hub.start();
process.stdout.write(`listening ${url}\n`);
