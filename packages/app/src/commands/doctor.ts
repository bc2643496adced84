import fs from 'node:fs';
import path from 'node:path';
import type { Check } from '@bailing/http';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { loadConfig, type LoadedConfig } from '../load-config.js';
import { bold, CommandFailure, plain, print } from '../out.js';

export interface DoctorOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Clocks of the hub and this machine may differ by so much; half of what a business accepts. */
const CLOCK_MS = 150_000;
const MARK = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

/** Looks at the configuration and the running hub. Ends with status 1 where anything fails. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const remote = (options.url ?? process.env.BAILING_URL) !== undefined && (options.token ?? process.env.BAILING_TOKEN) !== undefined;
  const checks = [...(remote ? [] : ofConfiguration(options)), ...(await ofHub(options))];
  if (options.json === true) print(JSON.stringify({ checks }, null, 2));
  else for (const one of checks) printCheck(one);
  if (checks.some(({ is }) => is === 'fail')) process.exitCode = 1;
}

function printCheck({ check, is, says, fix }: Check): void {
  print(`${is === 'ok' ? MARK.ok : bold(MARK[is])} ${plain(check)}: ${plain(says)}`);
  if (fix !== '') print(`       ${plain(fix)}`);
}

function ofConfiguration({ config: file }: DoctorOptions): Check[] {
  try {
    const loaded = loadConfig(file);
    return [{ check: 'configuration', is: 'ok', says: `${file} is valid`, fix: '' }, ...ofFiles(loaded)];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return [{ check: 'configuration', is: 'fail', says: error.message, fix: 'Correct what is named; bailing check says it again.' }];
  }
}

/** The configuration may hold secrets, the database holds everything: nobody else reads them. */
function ofFiles({ file, cwd, config }: LoadedConfig): Check[] {
  const database = /^sqlite:(?!:memory:)(.+)$/s.exec(config.hub.database)?.[1];
  const named = [file, ...(database === undefined ? [] : [path.resolve(cwd, database)])].filter((one) => fs.existsSync(one));
  return named.map((one): Check => {
    const mode = fs.statSync(one).mode & 0o777;
    const check = `file ${path.basename(one)}`;
    if ((mode & 0o077) === 0) return { check, is: 'ok', says: 'only its owner reads it', fix: '' };
    return { check, is: 'warn', says: `Others may read it (mode ${mode.toString(8)}).`, fix: `chmod 600 ${one}` };
  });
}

async function ofHub(options: DoctorOptions): Promise<readonly Check[]> {
  try {
    const { at, checks } = (await connect(options).request('GET', '/admin/api/diagnostics')) as { at: string; checks: Check[] };
    return [ofClock(Date.parse(at) - Date.now()), ...checks];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return [{ check: 'hub', is: 'fail', says: error.message, fix: 'Start it, or name its address and token.' }];
  }
}

function ofClock(differs: number): Check {
  const check = 'clock';
  if (Math.abs(differs) <= CLOCK_MS) return { check, is: 'ok', says: 'hub and this machine agree', fix: '' };
  const says = `The clocks of the hub and this machine differ by ${String(Math.round(differs / 1_000))} s.`;
  return { check, is: 'fail', says, fix: 'Keep both by NTP: businesses refuse signatures that are 300 s off.' };
}
