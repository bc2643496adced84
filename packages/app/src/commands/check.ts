import { channelProblems, checkServerToken, defaultCredential, openConfigDoor, publicWarnings } from '@bailing/hub';
import { createKernel, discover, hostService, renderProblems } from '@bailing/kernel';
import { services } from '@bailing/plugin-api';
import { ALWAYS, BUILTINS } from '../builtins.js';
import { documentRows } from '../check-documents.js';
import { checkFiles } from '../check-files.js';
import { loadConfig } from '../load-config.js';
import { commandLog, CommandFailure, print } from '../out.js';

export interface CheckOptions {
  readonly config: string;
  /** Files of objects, as `apply` would read them. */
  readonly file?: readonly string[];
  /** Also against the objects of the database. */
  readonly database?: boolean;
  /** Reads public documents from their addresses. */
  readonly documents?: boolean;
}

/** Checks a configuration and its plugins; opens a database or a socket only where that is asked for. */
export async function check(options: CheckOptions): Promise<void> {
  const { config: file, cwd } = loadConfig(options.config);
  const config = options.file === undefined ? file : checkFiles(file, options.file);
  if (options.database === true) await (await openConfigDoor({ config: file, cwd, env: process.env, log: commandLog })).close();
  checkServerToken(config.hub);
  defaultCredential(process.env);
  const always = ALWAYS.filter((id) => !config.plugins.some(({ use }) => use === id));
  const found = await discover([...always, ...config.plugins], { cwd, builtins: BUILTINS });
  const unused = Object.values(services).map((ref) => hostService(ref as never, undefined as never));
  const problems = createKernel({
    plugins: found.plugins,
    problems: found.problems,
    required: ['gate-risk'],
    choices: config.services,
    services: unused,
  }).check();
  if (problems.some(({ fatal }) => fatal)) throw new CommandFailure(renderProblems(problems));
  const wrong = channelProblems(
    config.channels,
    found.plugins.map(({ plugin }) => plugin),
  );
  if (wrong.length > 0)
    throw new CommandFailure(wrong.map(({ at, says }) => `${options.config}: BAILING_CONFIG_INVALID ${at}: ${says}`).join('\n'));
  for (const provider of config.tool_providers) for (const says of publicWarnings(provider)) print(`warning: ${says}`);
  for (const row of await documentRows(config, options.documents === true)) print(row);
  const count = (list: readonly unknown[], name: string) => `${String(list.length)} ${name}`;
  print(
    `${options.config} is valid: ${[count(config.clients, 'clients'), count(config.credentials, 'credentials'), count(config.tool_providers, 'tool providers'), ...(config.channels.length > 0 ? [count(config.channels, 'channels')] : []), count(config.routes, 'routes'), count(found.plugins, 'plugins')].join(', ')}.`,
  );
}
