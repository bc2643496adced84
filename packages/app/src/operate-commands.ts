import type { Command } from 'commander';
import { bundle, type BundleOptions } from './commands/bundle.js';
import { explain, type ExplainOptions } from './commands/explain.js';

/** What whoever runs a hub asks it: why and why not. All of it talks to a running hub. */
export function addOperateCommands(program: Command): void {
  reaching(
    program.command('explain').description('why a route shows a tool or not, and what a call would meet; sends, counts and writes nothing'),
  )
    .requiredOption('--route <route>', 'the route')
    .option('--subject <subject>', 'the acting user')
    .option('--client <app_id>', 'the asking client; an administrator where absent')
    .option('--meta <name=value>', 'metadata of the request, repeatable', collect)
    .option('--tool <tool>', 'explain one call of this tool')
    .option('--args <json>', 'its arguments')
    .option('--json', 'as JSON')
    .action((options: ExplainOptions) => explain(options));
  reaching(program.command('bundle').description('everything about one job, redacted, to pass on to somebody else').argument('<job>'))
    .option('--markdown', 'as a report for people')
    .option('--out <file>', 'a new file; standard output where absent')
    .action((job: string, options: BundleOptions) => bundle(job, options));
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

function reaching(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)');
}
