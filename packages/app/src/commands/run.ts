import { randomUUID } from 'node:crypto';
import { HubClient } from '../hub-client.js';
import { loadConfig } from '../load-config.js';
import { bold, CommandFailure, plain, print } from '../out.js';
import { pairsOf } from '../pairs.js';
import { renderTimeline } from '../timeline.js';

export interface RunOptions {
  readonly config: string;
  readonly url?: string;
  readonly token?: string;
  readonly as?: string;
  readonly meta?: readonly string[];
  readonly requestId?: string;
}

/** Submits a job to a running hub as its administrator, follows it, prints its trace and answer. Exit 0 only where it ended `done`. */
export async function run(route: string, text: string, options: RunOptions): Promise<void> {
  const hub = connection(options);
  const client = new HubClient(hub.url, hub.token);
  const { job_id: id } = await client.run({
    request_id: options.requestId ?? `cli:${randomUUID()}`,
    route,
    input: text,
    metadata: metadataOf(route, options, hub.subjectFields),
  });
  const job = await client.follow(id);
  print(`${bold('job')} ${id}`);
  print(renderTimeline(await client.trace(id)));
  print(`${bold(job.status)}: ${plain(job.result?.text ?? job.error ?? '')}`);
  if (job.status !== 'done') throw new CommandFailure(`The job ended ${job.status}.`);
}

function connection(options: RunOptions): { url: string; token: string; subjectFields: ReadonlyMap<string, readonly string[]> } {
  const given = options.url ?? process.env.BAILING_URL;
  const token = options.token ?? process.env.BAILING_TOKEN;
  if (given !== undefined && token !== undefined) return { url: given.replace(/\/+$/, ''), token, subjectFields: new Map() };
  const { config } = loadConfig(options.config);
  const { host, port } = config.hub;
  const fields = config.routes.map(
    (route) => [route.route_key, (route.tools?.sources ?? []).map((source) => source.subject_field ?? 'visitor_uid')] as const,
  );
  return { url: given ?? `http://${host}:${String(port)}`, token: token ?? config.hub.token ?? '', subjectFields: new Map(fields) };
}

/** `--as` sets the subject in the field the route's sources read; `--meta name=value` sets anything else. */
function metadataOf(route: string, options: RunOptions, fields: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  const subject: Record<string, string> = {};
  if (options.as !== undefined) for (const field of fields.get(route) ?? ['visitor_uid']) subject[field] = options.as;
  return { ...subject, ...pairsOf('--meta', options.meta) };
}
