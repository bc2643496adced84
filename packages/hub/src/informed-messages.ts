import { messageOfJob, messages, type Trade } from '@bailing/engine';
import type { Settings } from '@bailing/engine/ports';
import type { Log } from '@bailing/plugin-api';

export interface Informed {
  readonly settings: () => Settings;
  /** Reads what other hubs wrote into the configuration, now. */
  readonly lookAgain: () => Promise<void>;
  readonly log: Log;
}

/** Messages as a hub works on them: one may come through a channel that another hub has just got, so this one looks before it says that there is none. */
export function informedMessages({ settings, lookAgain, log }: Informed, trade: Trade = messages): Trade {
  const isOpen = (channel: string) =>
    settings()
      .channels()
      .some(({ name, enabled }) => enabled && name === channel);
  return {
    ...trade,
    work: async (taken, signal, deps) => {
      const channel = messageOfJob(taken.job)?.message.channel;
      const failed = (error: unknown) => log.warn('the configuration could not be looked at', { error: String(error) });
      if (channel !== undefined && !isOpen(channel)) await lookAgain().catch(failed);
      return trade.work(taken, signal, deps);
    },
  };
}
