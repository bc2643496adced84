import type { ApplyChange, ApplyResult } from '@bailing/http';
import { openDoor, WrongObjects, type Door } from '../config-door.js';
import type { ConnectionOptions } from '../hub-connection.js';
import { placed, readObjects } from '../object-files.js';
import { bold, plain, print } from '../out.js';

export interface ApplyOptions extends ConnectionOptions {
  readonly file: readonly string[];
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Makes the objects of a hub what files say: all of it or nothing. */
export async function apply(options: ApplyOptions): Promise<void> {
  const { result, where } = await run(options, options.dryRun === true);
  if (options.json === true) return print(JSON.stringify(result, null, 2));
  printPlan(result.changes);
  if (result.changes.length === 0) print(`Nothing to change in ${where}.`);
  else print(result.dry_run ? `Nothing was changed (--dry-run).` : `Applied to ${where}, revision ${String(result.revision)}.`);
}

/** What `apply` would do. Exit 1 where there is something. */
export async function diff(options: Omit<ApplyOptions, 'dryRun'>): Promise<void> {
  const { result, where } = await run(options, true);
  if (options.json === true) print(JSON.stringify(result, null, 2));
  else if (result.changes.length === 0) print(`No difference to ${where}.`);
  else printPlan(result.changes);
  if (result.changes.length > 0) process.exitCode = 1;
}

async function run(options: Omit<ApplyOptions, 'dryRun'>, dryRun: boolean): Promise<{ result: ApplyResult; where: string }> {
  const files = readObjects(options.file);
  let door: Door | undefined;
  try {
    door = await openDoor(options);
    const objects = files.objects as Readonly<Record<string, readonly unknown[]>>;
    return { result: await door.apply({ objects, prune: options.prune === true, dry_run: dryRun }), where: door.where };
  } catch (error) {
    throw error instanceof WrongObjects ? placed(error, files) : error;
  } finally {
    await door?.close();
  }
}

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

function printPlan(changes: readonly ApplyChange[]): void {
  for (const { member, name, change, fields } of changes)
    print(`${SIGNS[change]} ${change} ${member} ${bold(plain(name))}${fields.length > 0 ? `: ${fields.map(plain).join(', ')}` : ''}`);
  const count = (what: ApplyChange['change']) => changes.filter((one) => one.change === what).length;
  if (changes.length > 0)
    print(`${String(count('create'))} to create, ${String(count('update'))} to update, ${String(count('delete'))} to delete.`);
}
