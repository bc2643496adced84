import type { Conversation, ConversationStore, Ms, Outbound, Said, Summary } from '@bailing/engine/ports';
import { placeOfJob, saidOnThread, summaryOfThread } from '../statements/conversations.js';
import { keepOutbound } from '../units/keep-outbound.js';
import { keepSummary } from '../units/keep-summary.js';
import { type House, read } from './house.js';

/** Places on a thread that are looked back over, so that a long conversation costs no more than a young one. */
const LOOK_BACK = 200;

export class SqlConversationStore implements ConversationStore {
  constructor(private readonly house: House) {}

  async before(job: string, { thread, owner }: Conversation, what: Parameters<ConversationStore['before']>[2]): Promise<readonly Said[]> {
    const [place] = await read(this.house, placeOfJob, [job]);
    if (typeof place?.thread_seq !== 'number') return [];
    const upto = place.thread_seq - (what.withIt ? 0 : 1);
    const after = Math.max(what.afterSeq, upto - LOOK_BACK);
    return read(this.house, saidOnThread, [what.chars, what.chars, thread, after, upto, owner, Math.min(what.limit, LOOK_BACK)]);
  }

  async summary({ thread, owner }: Conversation): Promise<Summary | null> {
    const [found] = await read(this.house, summaryOfThread, [thread, owner]);
    return found ? { uptoSeq: found.upto_seq, text: found.summary } : null;
  }

  keepOutbound(outbound: Outbound): Promise<number | null> {
    return this.house.lanes.submit(keepOutbound(outbound));
  }

  keepSummary(of: Conversation, from: number, summary: Summary, at: Ms): Promise<'kept' | 'moved'> {
    return this.house.lanes.submit(keepSummary(of, from, summary, at));
  }
}
