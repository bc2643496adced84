#!/usr/bin/env node
import { APP, redactText } from '@bailing/hub';
import { BailingError } from '@bailing/plugin-api';
import { Command } from 'commander';
import { check } from './commands/check.js';
import { demo } from './commands/demo.js';
import { plugins } from './commands/plugins.js';
import { run, type RunOptions } from './commands/run.js';
import { start } from './commands/start.js';
import { addConfigCommands } from './config-commands.js';
import { addDeskCommands } from './desk-commands.js';
import { addOperateCommands } from './operate-commands.js';
import { CommandFailure, printError } from './out.js';
import { addSafetyCommands } from './safety-commands.js';
import { addToolCommands } from './tool-commands.js';

const program = new Command('bailing').description('The tool-governance hub between AI agents and business systems').version(APP.version);
const CONFIG = ['-c, --config <file>', 'configuration file', 'bailing.yaml'] as const;
const collect = (value: string, before: readonly string[] = []) => [...before, value];

program
  .command('start')
  .description('run the hub')
  .option(...CONFIG)
  .action(start);
program
  .command('check')
  .description('check the configuration, its plugins and its documents')
  .option(...CONFIG)
  .option('-f, --file <path>', 'with files of objects, as apply would read them; repeatable', collect)
  .option('--database', 'also against the objects of the database')
  .option('--documents', 'read public documents from their addresses')
  .action(check);
program
  .command('plugins')
  .description('boot the plugins and draw them as a tree')
  .option(...CONFIG)
  .action(plugins);
program
  .command('demo')
  .description('three governed jobs against a real business service')
  .option('--once', 'end after the jobs')
  .action(demo);
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
addConfigCommands(program);
addDeskCommands(program);
addToolCommands(program);
addOperateCommands(program);
addSafetyCommands(program);

// A start that waits for something that will never come ends silently in Node; say so instead.
process.once('exit', (code) => {
  if (code === 13)
    printError(
      'BAILING_HUB_FAILED The command ended while it waited for something that never came: a database file that is not one, or a plugin that never finishes loading. Check hub.database and the plugins.',
    );
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  printError(redactText(sentenceOf(error)));
  process.exitCode = 1;
}

/** Failures that say what is wrong need no stack; anything else is a defect and shows where. */
function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof BailingError) return `${error.code} ${error.message} ${error.entry.fix}`;
  if (error instanceof Error && error.name === 'BootFailure') return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'EADDRINUSE' || code === 'EACCES')
    return `BAILING_CONFIG_INVALID hub.port: the address cannot be listened on (${code}). Another process has it, or it is not yours to take; set hub.port.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
