import type { Command } from 'commander';
import type { AuditOptions, ExportOptions } from './commands/audit.js';
import { clearStop, listStops, setStop } from './commands/stops.js';
import type { ConnectionOptions } from './hub-connection.js';

/** Stops and evidence: what an operator reaches for when something is wrong. */
export function addSafetyCommands(program: Command): void {
  stops(program);
  audit(program);
}

function reaching(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)');
}

const FLAG = ['<what>', 'hub, client:…, route:…, provider:…, tool:provider/name or channel:…'] as const;

function stops(program: Command): void {
  const group = program.command('stops').description('calls that are stopped, also of jobs that run');
  reaching(group.command('list').description('list what is stopped'))
    .option('--json', 'as JSON')
    .action((options: ConnectionOptions & { json?: boolean }) => listStops(options));
  reaching(
    group
      .command('set')
      .description('stop calls')
      .argument(...FLAG),
  ).action((what: string, options: ConnectionOptions) => setStop(what, options));
  reaching(
    group
      .command('clear')
      .description('let calls go again')
      .argument(...FLAG),
  ).action((what: string, options: ConnectionOptions) => clearStop(what, options));
}

function audit(program: Command): void {
  const group = program.command('audit').description('the ledger');
  group
    .command('verify')
    .description('read the whole ledger and find every edited, removed or reordered line; exit 1 where there is one')
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--database <url>', 'database instead of the configured one')
    .option('--file <file>', 'an export instead of a database')
    .option('--json', 'as JSON')
    .action(async (options: AuditOptions) => (await import('./commands/audit.js')).verifyAudit(options));
  group
    .command('export')
    .description('write the whole ledger as JSON lines that can be verified anywhere')
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--database <url>', 'database instead of the configured one')
    .option('--out <file>', 'a new file; standard output where absent')
    .action(async (options: ExportOptions) => (await import('./commands/audit.js')).exportAudit(options));
}
