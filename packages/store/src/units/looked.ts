import type { JournalState, Key, Ms, Open, UnresolvedState } from '@bailing/engine/ports';
import type { LookRow } from '../statements/look-before-call.js';
import type { OpenRow } from '../statements/journal-reads.js';

/** What one look found, sorted by what it means. */
export interface Looked {
  /** Unresolved rows of the job, oldest first. */
  readonly open: readonly LookRow[];
  /** The completed row of the same write. */
  readonly same: LookRow | undefined;
  /** The first stop flag that is set, in the order the caller named them. */
  readonly stop: string | undefined;
  readonly streak: number;
}

export function sortLooked(found: readonly LookRow[], stops: readonly string[]): Looked {
  const set = new Set(found.filter((row) => row.kind === 'stop').map((row) => row.tool));
  return {
    open: found.filter((row) => row.kind === 'open').sort((a, b) => a.id - b.id),
    same: found.find((row) => row.kind === 'same'),
    stop: stops.find((what) => set.has(what)),
    streak: found.find((row) => row.kind === 'streak')?.attempt ?? 0,
  };
}

/** On its way: sent, or about to be, by a process that still has time to say how it ended. */
export function inFlight(row: { readonly state: string; readonly send_by: number }, now: Ms): boolean {
  return row.state === 'dispatching' && row.send_by > now;
}

/** The oldest row nobody knows the outcome of; it freezes its job. */
export function frozenBy(open: readonly LookRow[], now: Ms): LookRow | undefined {
  return open.find((row) => !inFlight(row, now));
}

const STATES: readonly JournalState[] = ['dispatching', 'response_recorded', 'completed', 'uncertain', 'evidence_degraded', 'released'];

/** WIRE §8.1: a stored state nobody knows reads as `uncertain`. */
export function stateOf(stored: string): JournalState {
  return STATES.find((state) => state === stored) ?? 'uncertain';
}

export function openOf(row: Omit<OpenRow, 'job_id'>, job: string): Open {
  const key: Key = { job, tool: row.tool, argsHash: row.args_hash, idem: row.idempotency_key };
  const state = stateOf(row.state) as UnresolvedState;
  const { scope, on_behalf_of: subject, owner, send_by: sendBy, reason } = row;
  return { key, state, scope, subject, owner, sendBy, reason };
}
