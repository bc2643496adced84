import type { Ms } from './words.js';

/** One ended job of a conversation: what was asked, and what was answered. */
export interface Said {
  /** Its place on the thread. */
  readonly seq: number;
  readonly input: string;
  /** Null where the job gave no text. */
  readonly answer: string | null;
}

export interface Summary {
  /** The last place on the thread that it covers. */
  readonly uptoSeq: number;
  readonly text: string;
}

/** Whose conversation: clients that share a thread's key do not read each other's. */
export interface Conversation {
  readonly thread: number;
  /** `app_id`, or `admin`. */
  readonly owner: string;
}

/** A message that was sent, for the conversations of its recipients. */
export interface Outbound {
  /** Its idempotency key; under it the journal holds the message. */
  readonly key: string;
  readonly job: string;
  /** Who sent it: `brain-send`, `send`, `delivery`. */
  readonly marker: string;
  /** One conversation each: `<kind>:<channel>:<recipient>`, at most 191 characters. */
  readonly scopes: readonly string[];
}

/** What was said on the threads of jobs. The jobs themselves are the ledger; a summary may stand for the older ones. */
export interface ConversationStore {
  /**
   * The ended jobs before `job` (with it, where `withIt`), newest first, after `afterSeq`, at most `limit`, of the last two hundred places; texts
   * cut to `chars` characters. `place` is the job's own.
   */
  before(
    job: string,
    of: Conversation,
    what: { readonly afterSeq: number; readonly limit: number; readonly chars: number; readonly withIt: boolean },
  ): Promise<readonly Said[]>;
  summary(of: Conversation): Promise<Summary | null>;
  /** Puts a message into conversations, which are made where there are none; once. Answers the conversation where there is one scope, else null. */
  keepOutbound(outbound: Outbound): Promise<number | null>;
  /** Replaces the summary that ended at `from` (0: there was none). `moved`: somebody else has replaced it. */
  keepSummary(of: Conversation, from: number, summary: Summary, at: Ms): Promise<'kept' | 'moved'>;
}
