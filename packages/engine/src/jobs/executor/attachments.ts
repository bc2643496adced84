import { line } from '../../audit/index.js';
import { assembleInput, type Background } from '../../context/index.js';
import { prepareInputs, type InputDeps, type Prepared } from '../../inputs/index.js';
import type { JobRow, JobStore, RouteSettings } from '../../ports/index.js';

export interface AttachmentDeps {
  readonly jobs: Pick<JobStore, 'note'>;
  /** How what users link to is read; absent: links stay links. */
  readonly inputs?: InputDeps;
  readonly log: { warn(message: string, fields?: Readonly<Record<string, unknown>>): void };
  readonly clock: { now(): number };
}

/** After so long nothing more is begun: what is being read then still ends well before the lease. */
const WHOLE_MS = 60_000;
const KEPT = 16;

/** What was read for jobs whose hand-over may have to be repeated: a dead connection does not read everything again. */
const read = new WeakMap<InputDeps, Map<string, Prepared>>();

/** What an executor gets of a request: its words with background and texts of files in `input`, and the lists of WIRE §3.1. */
export function attachments(job: JobRow, prepared: Prepared | undefined, background: Background): Readonly<Record<string, unknown>> {
  const input = assembleInput(prepared?.said ?? job.input, background);
  const { image = [], audio = [], file = [] } = prepared?.handed ?? {};
  return {
    input: [input, prepared?.blocks ?? '', ...(prepared?.duties ?? [])].filter((part) => part !== '').join('\n\n'),
    user_images: image.map(({ url }) => url),
    user_audio: audio,
    user_files: file,
  };
}

/** Reads what the user of a job linked to; undefined where this hub reads no inputs. */
export async function inputsFor(job: JobRow, route: RouteSettings, deps: AttachmentDeps): Promise<Prepared | undefined> {
  if (!deps.inputs) return undefined;
  const kept = read.get(deps.inputs) ?? new Map<string, Prepared>();
  read.set(deps.inputs, kept);
  const known = kept.get(job.id);
  if (known) return known;
  const of = { job: job.id, requestId: job.requestId };
  const note = (event: string, detail: Readonly<Record<string, unknown>>): void =>
    void deps.jobs.note([line(event, of, deps.clock.now(), detail)]).catch((error: unknown) => {
      deps.log.warn('an audit line could not be written', { job: job.id, event, error: String(error) });
    });
  const until = deps.clock.now() + WHOLE_MS;
  const { signal } = new AbortController();
  const prepared = await prepareInputs({ route, text: job.input, deps: deps.inputs, signal, until, note }, true);
  if (prepared.said === job.input && prepared.blocks === '') return prepared;
  const [oldest] = kept.keys();
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(job.id, prepared);
  return prepared;
}
