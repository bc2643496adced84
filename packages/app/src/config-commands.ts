import type { Command } from 'commander';
import type { AddOptions } from './commands/admins.js';
import type { ApplyOptions } from './commands/apply.js';
import type { ExportOptions } from './commands/export.js';
import type { ConnectionOptions } from './hub-connection.js';
import { CommandFailure, plain, print } from './out.js';

/** Configuration as code. Over the admin API where --url is given, else on the database that the configuration names. */
export function addConfigCommands(program: Command): void {
  files(reaching(program.command('apply').description('make the objects of a hub what files say')))
    .option('--dry-run', 'say what would be done')
    .action(async (options: ApplyOptions) => (await import('./commands/apply.js')).apply(options));
  files(reaching(program.command('diff').description('what apply would do; exit 1 where there is a difference'))).action(
    async (options: ApplyOptions) => (await import('./commands/apply.js')).diff(options),
  );
  reaching(program.command('export').description('the objects of the database as the YAML that apply takes'))
    .option('-o, --output <file>', 'into a file')
    .option('--secrets <style>', 'env: names of variables; masked: a mark that apply refuses', 'env')
    .action(async (options: ExportOptions) => (await import('./commands/export.js')).exportObjects(options));
  const admins = program.command('admins').description('people who operate the hub');
  reaching(admins.command('add').description('make one, or give one another password and role').argument('<username>'))
    .option('--role <role>', 'admin, viewer or kb_editor', 'admin')
    .option('--display-name <name>', 'name for people')
    .option('--generate', 'make a password and print it')
    .action(async (username: string, options: AddOptions) => (await import('./commands/admins.js')).addAdmin(username, options));
  const objects = program.command('objects').description('objects of the database');
  reaching(
    objects
      .command('delete')
      .description('remove one from the database, also where it keeps a hub from starting')
      .argument('<kind>')
      .argument('<name>'),
  ).action(async (kind: string, name: string, options: ConnectionOptions) => {
    const [{ objectKinds }, { deleteObject }] = [await import('@bailing/resources'), await import('./config-door.js')];
    const found = objectKinds.find(({ member, collection }) => member === kind || collection === kind);
    if (!found) throw new CommandFailure(`There are ${objectKinds.map(({ collection }) => collection).join(', ')}.`);
    await deleteObject(options, found.member, name);
    print(`Deleted ${found.noun} ${plain(name)}.`);
  });
  const secrets = program.command('secrets').description('secrets at rest');
  secrets
    .command('rotate')
    .description('seal every secret of the database under a new key')
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--drop-old', 'then remove older keys from the key file')
    .action(async (options: { config: string; dropOld?: boolean }) => (await import('./commands/secrets.js')).rotate(options));
}

function files(command: Command): Command {
  return command
    .requiredOption('-f, --file <path>', 'file or folder of YAML or JSON, repeatable', (value: string, before: readonly string[] = []) => [
      ...before,
      value,
    ])
    .option('--prune', 'also delete what the files leave out, of the kinds they name')
    .option('--json', 'as JSON');
}

function reaching(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file', 'bailing.yaml')
    .option('--url <url>', 'address of the hub (or BAILING_URL)')
    .option('--token <token>', 'server token (or BAILING_TOKEN)');
}
