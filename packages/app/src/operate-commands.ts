import type { Command } from 'commander';
import type { SignatureOptions } from './commands/signature.js';
import type { BundleOptions } from './commands/bundle.js';
import { doctor, type DoctorOptions } from './commands/doctor.js';
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
  reaching(program.command('doctor').description('look at configuration and running hub; exit 1 where something fails'))
    .option('--json', 'as JSON')
    .action((options: DoctorOptions) => doctor(options));
  reaching(
    program
      .command('signature')
      .description('signatures of calls')
      .command('check')
      .description('say where the signature of a received call differs; exit 1 where it does'),
  )
    .requiredOption('--provider <name>', 'whose secret it was signed with')
    .requiredOption('--method <method>', 'as it came')
    .requiredOption('--target <target>', 'path and query of the request line, as they came')
    .requiredOption('--headers <file>', 'the headers as lines; - is standard input')
    .option('--body <file>', 'the body as it came; empty where absent')
    .option('--json', 'as JSON')
    .action(async (options: SignatureOptions) => (await import('./commands/signature.js')).checkSignature(options));
  program
    .command('selftest')
    .description('boot a hub of its own and ask whether the fences hold; exit 1 where one does not')
    .action(async () => (await import('./commands/selftest.js')).selftest());
  reaching(program.command('bundle').description('everything about one job, redacted, to pass on to somebody else').argument('<job>'))
    .option('--markdown', 'as a report for people')
    .option('--out <file>', 'a new file; standard output where absent')
    .action(async (job: string, options: BundleOptions) => (await import('./commands/bundle.js')).bundle(job, options));
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

function reaching(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)');
}
