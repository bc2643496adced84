import fs from 'node:fs';
import { debugReport, type DebugBundle } from '@bailing/engine';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { CommandFailure, print } from '../out.js';

export interface BundleOptions extends ConnectionOptions {
  readonly markdown?: boolean;
  readonly out?: string;
}

/** Fetches the redacted bundle of a job from a running hub. */
export async function bundle(job: string, options: BundleOptions): Promise<void> {
  const answer = (await connect(options).request('GET', `/admin/api/runs/${encodeURIComponent(job)}/bundle`)) as DebugBundle;
  const text = options.markdown === true ? debugReport(answer) : `${JSON.stringify(answer, null, 2)}\n`;
  if (options.out === undefined) return print(text.trimEnd());
  try {
    fs.writeFileSync(options.out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CommandFailure(`${options.out} could not be written: ${(error as Error).message}. Name a file that is not there yet.`);
  }
  print(`The bundle of ${job} is in ${options.out}.`);
}
