import { deleteFromDatabase, openConfigDoor } from '@bailing/hub';
import { InvalidObject, type AdminCaller, type ApplyRequest, type ApplyResult, type FieldProblem } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import type { Objects } from '@bailing/resources';
import { HubClient, HubRefusal } from './hub-client.js';
import type { ConnectionOptions } from './hub-connection.js';
import { loadConfig } from './load-config.js';
import { pluginsOf } from './plugins-of.js';
import { commandLog, CommandFailure } from './out.js';

/** Who changes something from the command line. */
export const CLI: AdminCaller = { kind: 'admin', name: 'cli' };

/** Objects as a command reaches them: over the admin API of a hub where an address is given, else in the database that the configuration names. */
export interface Door {
  readonly where: string;
  /** @throws WrongObjects, CommandFailure, BailingError */
  apply(request: ApplyRequest): Promise<ApplyResult>;
  export(): Promise<Objects>;
  close(): Promise<void>;
}

/** What a hub found wrong with a set of objects, by path into the set. */
export class WrongObjects extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('The objects are not valid.');
  }
}

export async function openDoor(options: ConnectionOptions): Promise<Door> {
  const url = (options.url ?? process.env.BAILING_URL)?.replace(/\/+$/, '');
  if (url !== undefined) return overHttp(new HubClient(url, options.token ?? process.env.BAILING_TOKEN ?? ''), url);
  const { config, cwd } = loadConfig(options.config);
  const plugins = await pluginsOf(config, cwd);
  const door = await openConfigDoor({ config, cwd, env: process.env, log: commandLog, plugins });
  const cause = { by: CLI, method: 'POST', path: 'bailing apply' };
  return {
    where: 'the database of this configuration',
    apply: (request) =>
      door.objects.apply(request, cause).catch((error: unknown) => {
        throw error instanceof InvalidObject ? new WrongObjects(error.problems) : error;
      }),
    export: async () => await door.objects.export(),
    close: () => door.close(),
  };
}

function overHttp(hub: HubClient, url: string): Door {
  return {
    where: url,
    apply: async (request) => {
      try {
        return (await hub.request('POST', '/admin/api/config/apply', request)) as ApplyResult;
      } catch (error) {
        if (error instanceof HubRefusal && error.problems) throw new WrongObjects(error.problems);
        throw error;
      }
    },
    export: async () => ((await hub.request('GET', '/admin/api/config/export')) as { objects: Objects }).objects,
    close: () => Promise.resolve(),
  };
}

/** Straight from the database, also where it keeps a hub from starting. */
export async function deleteObject(options: ConnectionOptions, member: string, name: string): Promise<void> {
  const url = options.url ?? process.env.BAILING_URL;
  if (url !== undefined)
    throw new CommandFailure('This works on the database that a configuration names; leave --url out (and BAILING_URL unset).');
  const { config, cwd } = loadConfig(options.config);
  try {
    await deleteFromDatabase({ config, cwd, env: process.env, log: commandLog }, member, name, CLI);
  } catch (error) {
    if (error instanceof BailingError && error.code === 'BAILING_REQUEST_NOT_FOUND')
      throw new CommandFailure(error.detail ?? error.message);
    throw error;
  }
}
