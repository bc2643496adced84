import type { ErrorCode, ModelPart, ModelProvider, StreamEvent } from '@bailing/plugin-api';
import type { CallResult, Governance, Proposal } from '../calls/index.js';
import type { View } from '../catalog/index.js';
import type { Background } from '../context/index.js';
import type { Sight } from '../inputs/index.js';
import type { RouteSettings } from '../ports/index.js';
import type { Stop } from './turn.js';

export interface LoopInput {
  readonly route: RouteSettings;
  /** The user's text. */
  readonly text: string;
  /** What the request is read with; absent: nothing. */
  readonly background?: Background;
  /** What the user sent beside words, made ready; absent: nothing. */
  readonly attached?: Attached;
  readonly view: View;
  readonly maxCalls: number;
  /** Business calls this job has used already; survives reruns. */
  readonly callsUsed: number;
  /** What became of the approvals of this job; null where there is nothing to tell. */
  readonly approvedNote?: string | null;
  /** Time for the prompt, minute precision, display zone. */
  readonly nowText: string;
  readonly signal: AbortSignal;
  /** Working time of the job; then one answer without tools is asked for. Absent: as long as it takes. */
  readonly deadlineMs?: number;
  /** Time for that answer. */
  readonly lastWordMs?: number;
  /** Where another process left this loop; null or absent: from the beginning. */
  readonly saved?: string | null;
}

/** What inputs add to the beginning of a loop. */
export interface Attached {
  /** Texts of what came with the request, after it. */
  readonly blocks: string;
  readonly parts: readonly ModelPart[];
  /** Sentences of the system prompt. */
  readonly duties: readonly string[];
  /** The user's images, where the model asks about them. */
  readonly sight?: Sight;
  /** Said in place of images that the endpoint refused. */
  readonly stripped?: string;
  /** For the `llm_request` line. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface LoopDeps {
  readonly model: ModelProvider;
  /** The governed exit, bound to the job's seat. */
  readonly call: (proposal: Proposal) => Promise<CallResult>;
  /** Writes an audit line of the job; never throws. */
  readonly note: (event: string, detail: Readonly<Record<string, unknown>>) => void;
  /** Keeps where the loop stands. Throws where the job is not held any more; absent: nothing is kept. */
  readonly save?: (state: string) => Promise<void>;
  /** Shows what happens to whoever reads along; absent where nobody may. Never stored, never throws. */
  readonly show?: (event: StreamEvent) => void;
}

export interface LoopFacts {
  readonly model: string;
  readonly toolCalls: number;
  readonly budget: { readonly used: number; readonly limit: number; readonly remaining: number; readonly exhausted: boolean };
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly pending: readonly Extract<Governance, { state: 'approval_pending' }>[];
  readonly repaired: boolean;
}

/** How the loop ended, apart from the facts about it. */
export type Ending =
  | { readonly is: 'answer'; readonly text: string }
  | (Stop & { readonly text: string })
  | { readonly is: 'failed'; readonly code: ErrorCode };

export type LoopEnd = Ending & { readonly facts: LoopFacts };
