import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, CommandFailure, plain, print } from '../out.js';

interface Stop {
  readonly what: string;
  readonly by: string;
  readonly since: string;
}

/** Lists what operators stopped. */
export async function listStops(options: ConnectionOptions & { readonly json?: boolean }): Promise<void> {
  const { items } = (await connect(options).request('GET', '/admin/api/stops')) as { items: Stop[] };
  if (options.json === true) return print(JSON.stringify(items, null, 2));
  if (items.length === 0) return print('Nothing is stopped.');
  for (const { what, by, since } of items) print(`${bold(plain(what))}  by ${plain(by)}, since ${since}`);
}

/** From the next call on nothing of this goes to a business, not even of jobs that run. */
export async function setStop(what: string, options: ConnectionOptions): Promise<void> {
  await connect(options).request('POST', '/admin/api/stops', { what });
  print(`${plain(what)} is stopped.`);
}

export async function clearStop(what: string, options: ConnectionOptions): Promise<void> {
  const answer = await connect(options).request('DELETE', `/admin/api/stops/${encodeURIComponent(what)}`);
  if ((answer as { was_set?: boolean }).was_set === false)
    throw new CommandFailure(`${plain(what)} was not set, so nothing was lifted. See what is stopped: bailing stops list.`);
  print(`${plain(what)} is not stopped any more.`);
}
