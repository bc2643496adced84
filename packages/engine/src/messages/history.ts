import { sha256Hex } from '@bailing/contract';
import type { Log } from '@bailing/plugin-api';
import type { ConversationStore, Settings } from '../ports/index.js';
import type { OutMessage } from './message.js';

export interface HistoryDeps {
  /** Absent: nothing is remembered. */
  readonly conversations?: Pick<ConversationStore, 'keepOutbound'> | undefined;
  readonly settings: () => Settings;
  readonly log: Log;
}

/** Characters of a conversation's key, as the store holds it. */
const SCOPE_CHARS = 191;

/** The conversation with one person of one channel (WIRE §10.5). */
export function scopeOf(kind: string, channel: string, recipient: string): string {
  const scope = `${kind}:${channel}:${recipient}`;
  return scope.length <= SCOPE_CHARS ? scope : `${scope.slice(0, SCOPE_CHARS - 65).toWellFormed()}:${sha256Hex(scope)}`;
}

/**
 * A message that was sent stands in the conversations of its recipients. `marker`: who sent it. Answers the conversation of a single recipient. Never throws:
 * the message is in the journal and in the ledger, whatever becomes of this.
 */
export async function keepHistory(
  { channel, to }: Pick<OutMessage, 'channel' | 'to'>,
  of: { readonly job: string; readonly key: string; readonly marker: string },
  { conversations, settings, log }: HistoryDeps,
): Promise<number | null> {
  const kind = settings()
    .channels()
    .find(({ name }) => name === channel)?.kind;
  if (!conversations || kind === undefined) return null;
  try {
    return await conversations.keepOutbound({ ...of, scopes: to.map((one) => scopeOf(kind, channel, one)) });
  } catch (error) {
    log.warn('a message that was sent could not be put into the conversations of its recipients', { job: of.job, error: String(error) });
    return null;
  }
}
