import type { ModelMessage } from '@bailing/plugin-api';
import type { SightState } from '../inputs/index.js';
import type { LoopFacts } from './loop-words.js';

/** Where a loop stands between two of its steps: all that another process needs to go on with it. */
export interface LoopState {
  /** The round that began last. */
  readonly round: number;
  /** Ends with an assistant message where its calls have not all been answered. */
  readonly messages: readonly ModelMessage[];
  readonly used: number;
  /** Definitions the model has fetched from the catalogue. */
  readonly fetched: readonly string[];
  readonly repaired: boolean;
  readonly emptyAsked: boolean;
  readonly usage: LoopFacts['usage'];
  readonly tally: { readonly made: number; readonly sent: number; readonly pending: LoopFacts['pending'] };
  /** Looks taken at images; absent where there are none. */
  readonly sight?: SightState;
  /** What the prompt said of approvals; another note is another beginning. */
  readonly approvedNote: string | null;
  /** Working time so far, in milliseconds. */
  readonly spentMs?: number;
  /** The job's time is up, and the model has been told. */
  readonly timeUp?: boolean;
}

/** Characters of a saved state; a database packet holds it with room to spare. */
export const STATE_CHARS = 2_000_000;

const VERSION = 1;
/** What stays of an old answer that is cut. */
const KEPT_OF_RESULT = 200;

/**
 * The state as text. Where it is too long, answers of tools are cut, the oldest first, and say so; null where that is not enough, and nothing is to
 * be saved.
 */
export function freeze(state: LoopState): string | null {
  const whole = textOf(state);
  if (whole.length <= STATE_CHARS) return whole;
  const messages = [...state.messages];
  let size = whole.length;
  for (const [index, message] of messages.entries()) {
    if (size <= STATE_CHARS) break;
    if (message.role !== 'tool' || message.content.length <= KEPT_OF_RESULT * 2) continue;
    const content = `${message.content.slice(0, KEPT_OF_RESULT).toWellFormed()}… [cut by the hub: this job went on after a restart, and the rest of this answer was not kept]`;
    messages[index] = { ...message, content };
    size -= message.content.length - content.length;
  }
  const cut = textOf({ ...state, messages });
  return cut.length <= STATE_CHARS ? cut : null;
}

function textOf(state: LoopState): string {
  return JSON.stringify({ version: VERSION, ...state });
}

/** Null for what this version did not write: the job begins anew then. */
export function thaw(text: string | null): LoopState | null {
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as Partial<LoopState> & { readonly version?: unknown };
    const whole =
      state.version === VERSION && Array.isArray(state.messages) && Array.isArray(state.fetched) && Array.isArray(state.tally?.pending);
    return whole && Number.isSafeInteger(state.round) && Number.isSafeInteger(state.used) ? (state as LoopState) : null;
  } catch {
    return null;
  }
}
