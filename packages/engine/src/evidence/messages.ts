import type { ConversationStore, JobRow } from '../ports/index.js';

/** Something said in the conversation of a job, up to it (WIRE §15.4). */
export interface MessageView {
  readonly role: 'user' | 'assistant';
  /** Place of its job in the conversation; null for a job that has not ended. */
  readonly seq: number | null;
  readonly content_preview: string;
}

const JOBS_MAX = 20;
const PREVIEW_CHARS = 1_200;

/** The last of what was said, oldest first; a job without a conversation has none. */
export async function messagesOf(job: JobRow, conversations: Pick<ConversationStore, 'before'>): Promise<readonly MessageView[]> {
  if (typeof job.threadId !== 'number') return [];
  const what = { afterSeq: 0, limit: JOBS_MAX, chars: PREVIEW_CHARS, withIt: true };
  const said = await conversations.before(job.id, { thread: job.threadId, owner: job.owner }, what);
  const ended: readonly MessageView[] = said
    .toReversed()
    .flatMap(({ seq, input, answer }) => [
      { role: 'user' as const, seq, content_preview: input },
      ...(answer === null ? [] : [{ role: 'assistant' as const, seq, content_preview: answer }]),
    ]);
  if (job.status === 'done' || job.status === 'error') return ended;
  return [...ended, { role: 'user', seq: null, content_preview: job.input.slice(0, PREVIEW_CHARS).toWellFormed() }];
}
