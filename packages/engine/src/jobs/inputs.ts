import { prepareInputs, resumedInputs, type InputContext, type InputDeps, type InputOrder, type Prepared } from '../inputs/index.js';
import type { Holder, JobRow, JobStore, RouteSettings } from '../ports/index.js';

/** After so long nothing more is begun. */
const WHOLE_MS = 300_000;

export interface InputsOfDeps {
  readonly inputs?: InputDeps;
  readonly note: InputContext['note'];
}

/**
 * Reads what the user of a job linked to; undefined where this hub reads no inputs. `begun`: the loop of the job goes on, so only what it may still look
 * at is made ready.
 */
export async function inputsOf(
  job: JobRow,
  route: RouteSettings,
  begun: boolean,
  signal: AbortSignal,
  { inputs: deps, note }: InputsOfDeps,
): Promise<Prepared | undefined> {
  if (!deps) return undefined;
  const context: InputOrder = { route, text: job.input, deps, signal, until: deps.clock.now() + WHOLE_MS, note };
  return begun ? resumedInputs(context) : prepareInputs(context);
}

/** What was heard in recordings is remembered as said by whoever comes later in the conversation. A job that was lost meanwhile finds out by itself. */
export async function keepHeard(by: Holder, job: JobRow, prepared: Prepared | undefined, jobs: Pick<JobStore, 'keepSaid'>): Promise<void> {
  const alone = job.threadId === null || job.threadId === undefined;
  if (prepared && !alone && prepared.said !== job.input) await jobs.keepSaid(by, prepared.said);
}
