import fs from 'node:fs';
import path from 'node:path';
import { readConfig, type BailingConfig, type ConfigProblem } from '@bailing/resources';
import { CommandFailure } from './out.js';

export interface LoadedConfig {
  readonly file: string;
  readonly cwd: string;
  readonly config: BailingConfig;
}

/** Settings of the environment that fill what the file leaves open (WIRE §18 "Process settings"). */
const FROM_ENV = {
  BAILING_ENV: 'environment',
  BAILING_HOST: 'host',
  BAILING_PORT: 'port',
  BAILING_TOKEN: 'token',
  BAILING_DISPLAY_TZ: 'display_tz',
  BAILING_METRICS_TOKEN: 'metrics',
  BAILING_AUDIT_RETENTION_DAYS: 'audit_retention_days',
} as const;

const VALUES: Readonly<Record<string, (value: string) => unknown>> = {
  port: Number,
  audit_retention_days: Number,
  metrics: (token) => ({ token, scrape_timeout_ms: 5_000 }),
};

/** Reads `bailing.yaml`. @throws CommandFailure with every problem, its line and what to do */
export function loadConfig(file: string, env: NodeJS.ProcessEnv = process.env): LoadedConfig {
  const full = path.resolve(file);
  const cwd = path.dirname(full);
  const text = readText(full, file);
  const read = readConfig(text, { env, readFile: (named) => fs.readFileSync(path.resolve(cwd, named), 'utf8') });
  if (!read.ok) throw new CommandFailure(renderProblems(file, read.problems));
  const hub = { ...read.config.hub, ...hubFromEnv(text, env) };
  return { file: full, cwd, config: { ...read.config, hub: { ...hub, database: besideFile(hub.database, cwd) } } };
}

/** A SQLite file is named from the folder of the configuration, as every other file in it: a hub finds its database wherever it is started from. */
function besideFile(database: string, cwd: string): string {
  const file = /^sqlite:(?!:memory:)(?!\/)(.+)$/s.exec(database)?.[1];
  return file === undefined ? database : `sqlite:${path.join(cwd, file)}`;
}

function readText(full: string, shown: string): string {
  try {
    return fs.readFileSync(full, 'utf8');
  } catch {
    throw new CommandFailure(
      `There is no configuration at ${shown}. Write one, or name it with --config; \`bailing demo\` runs without any.`,
    );
  }
}

function hubFromEnv(text: string, env: NodeJS.ProcessEnv): object {
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(FROM_ENV)) {
    const value = env[name];
    if (value === undefined || value === '' || new RegExp(`^\\s+${field}\\s*:`, 'm').test(text)) continue;
    if (field === 'port' && !/^\d{1,5}$/.test(value)) throw new CommandFailure(`${name} is not a port number.`);
    if (field === 'audit_retention_days' && !(/^\d{1,5}$/.test(value) && Number(value) <= 36_500))
      throw new CommandFailure(`${name} is a whole number of days up to 36500; 0 keeps the ledger for ever.`);
    if (field === 'environment' && value !== 'development' && value !== 'production')
      throw new CommandFailure(`${name} is development or production.`);
    if (field === 'metrics' && value.length < 24) throw new CommandFailure(`${name} needs at least 24 characters.`);
    found[field] = VALUES[field]?.(value) ?? value;
  }
  return found;
}

/** `file:line:column CODE path: what is wrong. What to do.` */
export function renderProblems(file: string, problems: readonly ConfigProblem[]): string {
  return problems
    .map(
      ({ line, column, code, path: at, says, fix }) =>
        `${file}:${String(line)}:${String(column)} ${code} ${at === '' ? '' : `${at}: `}${says} ${fix}`,
    )
    .join('\n');
}
