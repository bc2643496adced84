import { readStrictJson } from '@bailing/contract';
import type { ModelCall } from '@bailing/plugin-api';
import type { CallResult, Proposal, ToolExecution } from '../calls/index.js';
import type { View } from '../catalog/index.js';
import { SEE_IMAGE } from '../inputs/index.js';
import { unfenced } from '../context/index.js';

export interface TurnDeps {
  readonly view: View;
  readonly find: (names: readonly string[]) => string;
  /** The built-in look at images; absent where there are none to look at. */
  readonly see?: (args: string) => Promise<string>;
  readonly call: (proposal: Proposal) => Promise<CallResult>;
}

export interface Acted {
  /** One per proposed call, in order. */
  readonly results: readonly { readonly call: ModelCall; readonly text: string }[];
  /** The job ends here, whatever the model would have said. */
  readonly stop?: Stop;
}

/** What no model is asked about: a write became unknown, the job is being cancelled, the worker holds the job no more, or the journal cannot be written. */
export type Stop =
  | { readonly is: 'reconcile'; readonly execution: ToolExecution }
  | { readonly is: 'cancelled' }
  | { readonly is: 'lost-lease' }
  | { readonly is: 'journal-unavailable'; readonly reason: string };

const NOT_RUN = 'Not run: an earlier call of this turn ended the job.';

/** Runs the calls of one turn in order; neighbouring read-only calls run side by side, a write runs alone. */
export async function runTurn(calls: readonly ModelCall[], deps: TurnDeps): Promise<Acted> {
  const results: { call: ModelCall; text: string }[] = [];
  let stop: Stop | undefined;
  for (const group of grouped(calls, deps.view)) {
    if (stop) {
      results.push(...group.map((call) => ({ call, text: NOT_RUN })));
      continue;
    }
    const answers = await Promise.all(group.map((call) => one(call, deps)));
    group.forEach((call, index) => results.push({ call, text: answers[index]?.text ?? '' }));
    stop = answers.map(stopOf).find((found) => found !== undefined);
  }
  return { results, ...(stop && { stop }) };
}

/** A call that changes nothing at the business, and may be made again. */
export function isReadOnly(call: ModelCall, view: View): boolean {
  return call.name === 'find_tools' || call.name === SEE_IMAGE || (view.tools.get(call.name)?.tool.definition.readonly ?? false);
}

function grouped(calls: readonly ModelCall[], view: View): ModelCall[][] {
  const groups: ModelCall[][] = [];
  let reads: ModelCall[] | undefined;
  for (const call of calls) {
    const isRead = isReadOnly(call, view);
    if (isRead && reads) reads.push(call);
    else groups.push((reads = [call]));
    if (!isRead) reads = undefined;
  }
  return groups;
}

type Told = Pick<CallResult, 'text' | 'governance' | 'code'>;

async function one(call: ModelCall, deps: TurnDeps): Promise<Told> {
  if (call.name === 'find_tools') return { text: deps.find(namesOf(call.arguments)) };
  if (call.name === SEE_IMAGE && deps.see) return { text: unfenced(await deps.see(call.arguments)) };
  const result = await deps.call({ tool: call.name, arguments: call.arguments });
  const text = unfenced(result.text);
  return { ...result, text: result.ok ? text : `[not successful] ${text}` };
}

function namesOf(text: string): readonly string[] {
  const read = readStrictJson(text);
  const asked =
    read.ok && read.value !== null && typeof read.value === 'object' ? (read.value as { names?: unknown; query?: unknown }) : {};
  const named: readonly unknown[] = Array.isArray(asked.names) ? asked.names : [];
  return [...named, asked.query]
    .filter((name): name is string => typeof name === 'string' && name.trim() !== '')
    .map((name) => name.trim());
}

function stopOf({ governance, code, text }: Told): Stop | undefined {
  if (governance?.state === 'reconciliation_required') return { is: 'reconcile', execution: governance.execution };
  if (governance?.state === 'execution_journal_unavailable') return { is: 'journal-unavailable', reason: text };
  if (code === 'BAILING_JOB_CANCELLED') return { is: 'cancelled' };
  return code === 'BAILING_LEASE_LOST' ? { is: 'lost-lease' } : undefined;
}
