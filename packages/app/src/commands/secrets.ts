import { rotateConfigSecrets } from '@bailing/hub';
import { loadConfig } from '../load-config.js';
import { commandLog, print } from '../out.js';

const HOW = {
  made: 'A new key was made.',
  resumed: 'An earlier rotation was gone on with.',
  environment: 'The first key of BAILING_SECRET_KEY is in force.',
} as const;

/** Seals every secret of the database under the newest key. May be run again at any time. */
export async function rotate(options: { config: string; dropOld?: boolean }): Promise<void> {
  const { config, cwd } = loadConfig(options.config);
  const done = await rotateConfigSecrets({ config, cwd, env: process.env, log: commandLog }, options.dropOld === true);
  print(`${HOW[done.how]} ${String(done.resealed)} objects were sealed anew; everything is sealed under key ${done.key}.`);
  if (done.dropped > 0) print(`${String(done.dropped)} older keys were removed from the key file.`);
}
