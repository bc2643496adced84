import type { ChannelCard } from '@bailing/plugin-api';

/** A file as a message names it: written out, or fetched when it is sent. */
export type OutFile = { readonly name: string; readonly content: string } | { readonly name: string; readonly url: string };

/** A message that was read: what is hashed, frozen, journalled and sent. */
export interface OutMessage {
  readonly channel: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly files: readonly OutFile[];
  /** Addresses of images (`POST /send` and route delivery). */
  readonly images: readonly string[];
  readonly card?: ChannelCard;
  /** Its images and files are links of the text as well: one that cannot be had, or that the channel does not take, stays behind (route delivery). */
  readonly linked?: true;
}

/** The hub's own provider: its tools come from no document. No configured provider may have this name. */
export const BUILTIN = 'builtin';
export const SEND_MESSAGE = 'send_message';
/** In the journal and in audit (WIRE §13.2). */
export const SEND_SCOPE = 'builtin.send_message';
/** What executors are shown (WIRE §3.2). */
export const SEND_SCOPE_SHOWN = 'builtin.send';
