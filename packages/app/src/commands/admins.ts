import { randomBytes } from 'node:crypto';
import { openDoor, WrongObjects } from '../config-door.js';
import type { ConnectionOptions } from '../hub-connection.js';
import { CommandFailure, plain, print, printError } from '../out.js';

export interface AddOptions extends ConnectionOptions {
  readonly role: string;
  readonly displayName?: string;
  readonly generate?: boolean;
}

/** Makes an administrator, or gives one another password and role. The password comes from standard input. */
export async function addAdmin(username: string, options: AddOptions): Promise<void> {
  const password = options.generate === true ? randomBytes(12).toString('base64url') : await fromInput();
  const admin = { username, role: options.role, password, ...(options.displayName !== undefined && { display_name: options.displayName }) };
  const door = await openDoor(options);
  try {
    await door.apply({ objects: { admins: [admin] }, prune: false, dry_run: false });
    printError(`${plain(username)} can log in to ${door.where} as ${plain(options.role)}.`);
    if (options.generate === true) print(password);
  } catch (error) {
    if (error instanceof WrongObjects)
      throw new CommandFailure(error.problems.map(({ at, says }) => `${at.replace('admins[0].', '')}: ${says}`).join('\n'));
    throw error;
  } finally {
    await door.close();
  }
}

async function fromInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new CommandFailure(
      'The password is read from standard input: `bailing admins add <name> < file`, or --generate makes one and prints it.',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 4_096) throw new CommandFailure('That is no password.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
