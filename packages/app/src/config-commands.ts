import type { Command } from 'commander';
import { addAdmin, type AddOptions } from './commands/admins.js';
import { apply, diff, type ApplyOptions } from './commands/apply.js';
import { exportObjects, type ExportOptions } from './commands/export.js';
import { rotate } from './commands/secrets.js';
import { deleteObject } from './config-door.js';
import type { ConnectionOptions } from './hub-connection.js';
import { objectKinds } from '@bailing/resources';
import { CommandFailure, plain, print } from './out.js';

/** Configuration as code. Over the admin API where --url is given, else on the database that the configuration names. */
export function addConfigCommands(program: Command): void {
  files(reaching(program.command('apply').description('make the objects of a hub what files say')))
    .option('--dry-run', 'say what would be done')
    .action((options: ApplyOptions) => apply(options));
  files(reaching(program.command('diff').description('what apply would do; exit 1 where there is a difference'))).action(
    (options: ApplyOptions) => diff(options),
  );
  reaching(program.command('export').description('the objects of the database as the YAML that apply takes'))
    .option('-o, --output <file>', 'into a file')
    .option('--secrets <style>', 'env: names of variables; masked: a mark that apply refuses', 'env')
    .action((options: ExportOptions) => exportObjects(options));
  const admins = program.command('admins').description('people who operate the hub');
  reaching(admins.command('add').description('make one, or give one another password and role').argument('<username>'))
    .option('--role <role>', 'admin, viewer or kb_editor', 'admin')
    .option('--display-name <name>', 'name for people')
    .option('--generate', 'make a password and print it')
    .action((username: string, options: AddOptions) => addAdmin(username, options));
  const objects = program.command('objects').description('objects of the database');
  reaching(
    objects
      .command('delete')
      .description('remove one from the database, also where it keeps a hub from starting')
      .argument('<kind>')
      .argument('<name>'),
  ).action(async (kind: string, name: string, options: ConnectionOptions) => {
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
    .action((options: { config: string; dropOld?: boolean }) => rotate(options));
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
