import fs from 'node:fs';
import { Command } from 'commander';
import type { CheckOptions } from './commands/check.js';
import { run, type RunOptions } from './commands/run.js';
import { addConfigCommands } from './config-commands.js';
import { addDeskCommands } from './desk-commands.js';
import { addOperateCommands } from './operate-commands.js';
import { addSafetyCommands } from './safety-commands.js';
import { addToolCommands } from './tool-commands.js';

interface ConfigOptions {
  readonly config: string;
}

const CONFIG = ['-c, --config <file>', 'configuration file', 'bailing.yaml'] as const;
const collect = (value: string, before: readonly string[] = []) => [...before, value];

/**
 * The `bailing` command with everything it can do; nothing runs before it is given arguments. What a command needs is loaded when it runs: asking a
 * hub something takes no hub.
 */
export function bailingProgram(): Command {
  const { version } = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const program = new Command('bailing').description('The tool-governance hub between AI agents and business systems').version(version);
  addOwnCommands(program);
  addConfigCommands(program);
  addDeskCommands(program);
  addToolCommands(program);
  addOperateCommands(program);
  addSafetyCommands(program);
  return program;
}

function addOwnCommands(program: Command): void {
  program
    .command('start')
    .description('run the hub')
    .option(...CONFIG)
    .action(async (options: ConfigOptions) => (await import('./commands/start.js')).start(options));
  program
    .command('check')
    .description('check the configuration, its plugins and its documents')
    .option(...CONFIG)
    .option('-f, --file <path>', 'with files of objects, as apply would read them; repeatable', collect)
    .option('--database', 'also against the objects of the database')
    .option('--documents', 'read public documents from their addresses')
    .action(async (options: CheckOptions) => (await import('./commands/check.js')).check(options));
  program
    .command('plugins')
    .description('boot the plugins and draw them as a tree')
    .option(...CONFIG)
    .action(async (options: ConfigOptions) => (await import('./commands/plugins.js')).plugins(options));
  program
    .command('demo')
    .description('three governed jobs against a real business service')
    .option('--once', 'end after the jobs')
    .action(async (options: { once?: boolean }) => (await import('./commands/demo.js')).demo(options));
  program
    .command('run')
    .description('submit a job to a running hub, follow it, print its trace')
    .argument('<route>')
    .argument('<text>')
    .option(...CONFIG)
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)')
    .option('--as <subject>', 'trusted subject, put into the field the route reads')
    .option('--meta <name=value>', 'metadata, repeatable', collect)
    .option('--request-id <id>', 'idempotency key of the request')
    .action((route: string, text: string, options: RunOptions) => run(route, text, options));
}
