import type { Command } from 'commander';
import type { LintOptions } from './commands/lint.js';
import type { InvokeOptions } from './commands/invoke.js';
import { refresh, type RefreshOptions } from './commands/refresh.js';

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** Documents of tools: what a hub would make of one, and what a running hub makes of it now. */
export function addToolCommands(program: Command): void {
  program
    .command('lint')
    .description('say what a hub makes of an OpenAPI document; exit 0 clean, 1 errors, 2 unreadable')
    .argument('<file|url>')
    .option('--overlay <file>', 'an OpenAPI overlay, applied first')
    .option('--json', 'as JSON')
    .action(async (place: string, options: LintOptions) => (await import('./commands/lint.js')).lint(place, options));
  program
    .command('refresh')
    .description('have a running hub read a provider’s document now, or accept what became looser')
    .argument('<provider>')
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)')
    .option('--accept <tool>', 'accept this frozen tool, repeatable; * is all', collect)
    .option('--json', 'as JSON')
    .action((provider: string, options: RefreshOptions) => refresh(provider, options));
  program
    .command('invoke')
    .description('have a running hub call one tool, and show the signed bytes and the answer; exit 1 where it was not carried out')
    .argument('<provider>')
    .argument('<tool>')
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)')
    .option('--args <json>', 'its arguments')
    .option('--subject <subject>', 'on whose behalf')
    .option('--job <uuid>', 'name of this call: asked again under it, it is the same call and happens once')
    .option('--allow-risky', 'send it although the tool is high-risk or needs confirmation')
    .option('--json', 'as JSON')
    .action(async (provider: string, tool: string, options: InvokeOptions) =>
      (await import('./commands/invoke.js')).invoke(provider, tool, options),
    );
}
