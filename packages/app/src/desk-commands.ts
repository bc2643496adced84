import type { Command } from 'commander';
import { decideApproval, listApprovals, showApproval, type DecideOptions, type ListOptions } from './commands/approvals.js';
import { listOutbox, resendLetter, resolveLetter } from './commands/outbox.js';
import { listUnresolved, settleUnresolved, type SettleOptions } from './commands/unresolved.js';
import type { ConnectionOptions } from './hub-connection.js';

/** The desk from the command line: frozen calls, unknown writes, letters that did not arrive. All of it talks to a running hub. */
export function addDeskCommands(program: Command): void {
  approvals(program);
  unresolved(program);
  outbox(program);
}

function reaching(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)');
}

function approvals(program: Command): void {
  const group = program.command('approvals').description('calls that wait for a decision');
  reaching(group.command('list').description('list them, newest first'))
    .option('--status <status>', 'pending, approved, denied, expired, void or all', 'pending')
    .option('--json', 'as JSON')
    .action((options: ListOptions) => listApprovals(options));
  reaching(group.command('show').description('show one whole, with exactly what will be sent').argument('<id>'))
    .option('--json', 'as JSON')
    .action((id: string, options: ConnectionOptions & { json?: boolean }) => showApproval(id, options));
  for (const verdict of ['approve', 'deny'] as const) {
    reaching(group.command(verdict).description(`${verdict} one`).argument('<id>'))
      .option('--as <name>', 'who decides; the administrator where absent')
      .option('--comment <text>', 'why')
      .action((id: string, options: DecideOptions) => decideApproval(id, verdict, options));
  }
}

function unresolved(program: Command): void {
  const group = program.command('unresolved').description('writes nobody knows the outcome of');
  reaching(group.command('list').description('list them with what to compare with the business'))
    .option('--json', 'as JSON')
    .action((options: ConnectionOptions & { json?: boolean }) => listUnresolved(options));
  reaching(group.command('settle').description('say what the records of the business show').argument('<id>'))
    .requiredOption('--verdict <verdict>', 'applied, not_applied or unknown')
    .requiredOption('--evidence <text>', 'what the records show, kept in the ledger')
    .option('--as <name>', 'who settles; the administrator where absent')
    .option('--no-rerun', 'leave its job as it ended')
    .action((id: string, options: SettleOptions) => settleUnresolved(id, options));
}

function outbox(program: Command): void {
  const group = program.command('outbox').description('messages that could not be sent');
  reaching(group.command('list').description('list dead letters'))
    .option('--all', 'with those put aside')
    .option('--json', 'as JSON')
    .action((options: ConnectionOptions & { all?: boolean; json?: boolean }) => listOutbox(options));
  reaching(group.command('resend').description('one more attempt, now').argument('<id>')).action((id: string, options: ConnectionOptions) =>
    resendLetter(id, options),
  );
  reaching(group.command('resolve').description('put one aside').argument('<id>')).action((id: string, options: ConnectionOptions) =>
    resolveLetter(id, options),
  );
}
