/** A job as a context provider sees it. Everything in `input` and `metadata` came from outside and proves nothing. */
export interface ContextRequest {
  readonly job: {
    readonly id: string;
    readonly requestId: string;
    /** Route key. */
    readonly route: string;
    /** `app_id` of the client; empty where an administrator asked. */
    readonly client: string;
    readonly source: string;
  };
  /** The user's words. */
  readonly input: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `id` of the normalised principal (WIRE §2.4), or null. */
  readonly principal: string | null;
  readonly session: { readonly id: string; readonly isContinue: boolean };
}

/** One piece of background. The engine fences it: a model reads it as data, whatever it says. */
export interface ContextBlock {
  /** What it is, in a few words, such as the title of an article; shown above the text. At most 200 characters are used. */
  readonly label: string;
  /** At most 20 000 characters are used. */
  readonly text: string;
}

/** Adds background to a job before a model or an executor is asked: knowledge, the page a user looks at, facts about a customer. */
export interface ContextProvider {
  /**
   * Asked once when a job begins. Blocks keep their order; at most eight are used. A throw, or more than five seconds, costs this provider's
   * blocks and is audited; the job goes on without them.
   */
  blocks(request: ContextRequest, signal: AbortSignal): readonly ContextBlock[] | Promise<readonly ContextBlock[]>;
}
