// The hub of the benchmark: the real one, as `bailing start` composes it, with counters beside its store and a profiler at hand.
import { Session, type Profiler } from 'node:inspector';
import { ALWAYS, BUILTINS, loadConfig } from '@bailing/app';
import { createHub } from '@bailing/hub';
import { syncTimes } from '../sync-probe.js';
import { answer, ready, settings } from './party.js';

/** What the store did since the process started. */
export interface Counters {
  readonly statements: number;
  /** Transactions that were committed. Units that meet share one. */
  readonly commits: number;
  /** Units in those commits: what a caller awaits. */
  readonly units: number;
}

const { configFile } = settings<{ configFile: string }>();
const counters = { statements: 0, commits: 0, units: 0 };
const { config, cwd } = loadConfig(configFile);
const hub = createHub({
  config,
  cwd,
  plugins: ALWAYS,
  builtins: BUILTINS,
  store: {
    onStatement: () => (counters.statements += 1),
    onCommit: (units) => {
      counters.commits += 1;
      counters.units += units.length;
    },
  },
});
const session = new Session();

function inspect<T>(method: string): Promise<T> {
  return new Promise((resolve, reject) => {
    session.post(method, (error: Error | null, result?: object) => (error ? reject(error) : resolve(result as T)));
  });
}

answer(
  {
    counters: (): Counters => ({ ...counters }),
    'sync-times': ({ folder, count }: { folder: string; count: number }) => syncTimes(folder, count),
    'profile-start': async () => {
      session.connect();
      await inspect('Profiler.enable');
      await inspect('Profiler.start');
      return true;
    },
    'profile-stop': async () => {
      const { profile } = await inspect<{ profile: Profiler.Profile }>('Profiler.stop');
      session.disconnect();
      return profile;
    },
  },
  () => hub.stop(),
);
ready(await hub.start());
