import type { Conversation, Ms, Summary } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { change, Undo, type Unit } from '../lane/unit.js';
import { insertSummary, replaceSummary } from '../statements/conversations.js';

type Kept = 'kept' | 'moved';

/** One commit: a summary takes the place of the one it was made from. */
export function keepSummary({ thread, owner }: Conversation, from: number, { uptoSeq, text }: Summary, at: Ms): Unit<Kept> {
  return {
    name: 'keep-summary',
    key: `thread:${String(thread)}`,
    *run() {
      if (from > 0) return (yield* change(replaceSummary, [uptoSeq, text, at, thread, owner, from])) > 0 ? 'kept' : new Undo<Kept>('moved');
      try {
        yield* change(insertSummary, [thread, owner, uptoSeq, text, at]);
        return 'kept';
      } catch (error) {
        if (isFault(error, 'duplicate')) return new Undo<Kept>('moved');
        throw error;
      }
    },
  };
}
