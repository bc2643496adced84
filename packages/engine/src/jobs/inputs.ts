import { prepareInputs, type InputDeps, type Prepared } from '../inputs/index.js';
import type { JobRow, RouteSettings } from '../ports/index.js';

/** After so long nothing more is begun. */
const WHOLE_MS = 300_000;

/** Reads what the user of a job linked to; undefined where this hub reads no inputs. */
export async function inputsOf(
  job: JobRow,
  route: RouteSettings,
  signal: AbortSignal,
  deps: { readonly inputs?: InputDeps; readonly note: (event: string, detail: Readonly<Record<string, unknown>>) => void },
): Promise<Prepared | undefined> {
  if (!deps.inputs) return undefined;
  const until = deps.inputs.clock.now() + WHOLE_MS;
  return prepareInputs({ route, text: job.input, deps: deps.inputs, signal, until, note: deps.note });
}
