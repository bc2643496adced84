import { randomUUID } from 'node:crypto';
import type { Outbound } from '@bailing/engine/ports';
import { change, rows, type Unit } from '../lane/unit.js';
import { insertOutbound, insertOutboundThreads, NO_ROUTE } from '../statements/outbound.js';
import { padded } from '../statements/statement.js';
import { threadByScope } from '../statements/threads.js';

/** Recipients of one statement. */
const CHUNK = 64;

/**
 * One commit: a message that was sent stands in the conversation of each recipient; written again it changes nothing. Answers the conversation where there
 * is one recipient. Scopes go in order, so that two messages to the same people wait for each other instead of locking each other out.
 */
export function keepOutbound({ key, job, marker, scopes }: Outbound): Unit<number | null> {
  const ordered = [...new Set(scopes)].sort();
  return {
    name: 'keep-outbound',
    key: `outbound:${key}`,
    *run(tx) {
      for (let from = 0; from < ordered.length; from += CHUNK) {
        const chunk = padded(ordered.slice(from, from + CHUNK));
        const rowsOf = chunk.flatMap((scope) => [scope, randomUUID(), tx.now]);
        yield* change(insertOutboundThreads.of(chunk.length), rowsOf);
        yield* change(insertOutbound.of(chunk.length), [key, job, marker, tx.now, ...chunk]);
      }
      const [only, ...others] = ordered;
      if (only === undefined || others.length > 0) return null;
      return (yield* rows(threadByScope, [NO_ROUTE, only]))[0]?.id ?? null;
    },
  };
}
