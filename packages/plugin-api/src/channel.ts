import type { Ms } from './call.js';
import type { JsonSchema } from './tool.js';

/** A channel row as its kind sees it (WIRE §18). `config` was checked against the kind's schema, with its defaults filled in. */
export interface ChannelRow {
  readonly name: string;
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A file that goes with a message; its bytes are at hand, whether they were written or downloaded. */
export interface ChannelFile {
  /** At most 120 characters, without control characters; never a path. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A headline with a link, where a channel can show one; else it is text. */
export interface ChannelCard {
  readonly title: string;
  readonly url: string;
  readonly description?: string;
  readonly btntxt?: string;
}

/** One whole message, as it was frozen. There is a text, a card or at least one file. */
export interface ChannelMessage {
  /** The channel's own ids of people, 1 to 1000, each once. */
  readonly recipients: readonly string[];
  readonly text: string;
  readonly card?: ChannelCard;
  readonly images: readonly ChannelFile[];
  readonly files: readonly ChannelFile[];
}

/** What the receiver takes or refuses in one step; `body` is the channel's own and is handed back to `deliver`. */
export interface ChannelPart<P = unknown> {
  /** For audit and operators: `text 1/3`, `file a.pdf`. At most 120 characters, nothing secret. */
  readonly says: string;
  readonly body: P;
  /** Recipients of the message that this part is for; absent: all. Whoever it was not sent to is counted by it. */
  readonly to?: readonly string[];
}

/**
 * `accepted`: the receiver has it; `refused` in it names recipients it was refused for while others got it. `refused`: the receiver certainly does not
 * have it; `later` where asking again another time may help. `unknown`: it may have arrived.
 */
export type PartSent =
  | { readonly is: 'accepted'; readonly refused?: readonly string[] }
  | { readonly is: 'refused'; readonly why: string; readonly later?: boolean }
  | { readonly is: 'unknown'; readonly why: string };

export interface ChannelContext {
  readonly job: string;
  /** Idempotency key of the whole message, 64 hex: the same message of the same job always has the same. */
  readonly key: string;
  /** When the message was committed to; nothing may be sent after `sendBy`. */
  readonly at: Ms;
  readonly sendBy: Ms;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
}

/** Thrown by `prepare`: nothing reached anybody. `message` is shown to people and models and holds no secret. */
export class ChannelFailure extends Error {
  constructor(
    message: string,
    /** The same may work another time. */
    readonly later: boolean,
  ) {
    super(message);
    this.name = 'ChannelFailure';
  }
}

/**
 * Sends messages one way. The host asks it only with a committed intent, part by part and each part once, and keeps what became of each; a channel
 * neither repeats nor remembers. Receiving will be an optional member beside these, so a channel of today stays one.
 */
export interface Channel<P = unknown> {
  /** Splits a message into parts, at most 200, and does what reaches no recipient: tokens, uploads, checks. A throw means that nothing was sent, and so does not to end by `sendBy`. */
  prepare(message: ChannelMessage, context: ChannelContext): Promise<readonly ChannelPart<P>[]>;
  /** Sends one part once. A throw is `unknown`. */
  deliver(part: ChannelPart<P>, context: ChannelContext): Promise<PartSent>;
  /** When the host stops, or the row changed or went and no message goes through this channel any more. */
  close?(): Promise<void>;
}

/** One kind of channel: rows of `channels` name it; one channel is opened per row. */
export interface ChannelKind {
  /**
   * JSON Schema of a row's `config`: an object, checked strictly; secrets are `writeOnly` texts, and what it does not
   * declare counts as one. http(s) URLs at its top, and `host` with `port`, are what the
   * operator named: those hosts may be private.
   */
  readonly row: JsonSchema;
  /**
   * Opens no connection yet: rows come and change while the host runs, and a channel may be opened that is never used. A throw refuses the row; a BailingError
   * BAILING_CONFIG_INVALID says why. What is no object with `prepare` and `deliver` is refused as well, a promise by name.
   */
  open(row: ChannelRow): Channel;
}
