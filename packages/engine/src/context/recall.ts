import type { ConversationStore, JobRow, Said } from '../ports/index.js';
import { unfenced } from './fences.js';
import type { Memory, Remembering } from './remembering.js';

/** The conversation so far as a brain reads it, and what the audit says of it. */
export interface Recalled {
  readonly text: string;
  readonly messages: number;
  readonly summarised: boolean;
}

export interface Message {
  readonly by: 'user' | 'assistant';
  readonly text: string;
}

/** What was said before a job, within the route's limits: the summary of the older part, then the newest messages. Null where nothing was. */
export async function recall(job: JobRow, { of, memory }: Remembering, store: ConversationStore): Promise<Recalled | null> {
  const summary = memory.summary_enabled ? await store.summary(of) : null;
  const limit = Math.ceil(memory.recent_messages / 2);
  const what = { afterSeq: summary?.uptoSeq ?? 0, limit, chars: memory.per_message_chars + 1, withIt: false };
  const recent = newest(messagesOf(await store.before(job.id, of, what), memory), memory);
  if (recent.length === 0 && summary === null) return null;
  const words = wordsFor(job.input);
  const before = summary === null ? [] : [`${words.before}\n${indented(unfenced(summary.text))}`];
  const text = [...before, ...transcript(recent, job.input)].join('\n\n');
  return { text, messages: recent.length, summarised: summary !== null };
}

/** Oldest first, cut and without fence markers. `said` comes newest first. */
export function messagesOf(said: readonly Said[], memory: Pick<Memory, 'per_message_chars'>): Message[] {
  return [...said].reverse().flatMap(({ input, answer }) => {
    const asked: Message = { by: 'user', text: cut(input, memory.per_message_chars) };
    return answer === null ? [asked] : [asked, { by: 'assistant' as const, text: cut(answer, memory.per_message_chars) }];
  });
}

/** One paragraph a message. What a message says is indented, so that no line of it can pass for another speaker's. */
export function transcript(messages: readonly Message[], language: string): string[] {
  const words = wordsFor(language);
  return messages.map(({ by, text }) => `${words[by]}\n${indented(text)}`);
}

function newest(messages: readonly Message[], memory: Memory): Message[] {
  const kept: Message[] = [];
  let left = memory.recent_budget_chars;
  for (const message of [...messages].reverse().slice(0, memory.recent_messages)) {
    left -= message.text.length;
    if (left < 0) break;
    kept.unshift(message);
  }
  return kept;
}

function cut(text: string, chars: number): string {
  const clean = unfenced(text).trim();
  return clean.length <= chars ? clean : `${clean.slice(0, chars - 1).toWellFormed()}…`;
}

function indented(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n').replaceAll(/^/gm, '  ');
}

const EN = { user: 'User:', assistant: 'Assistant:', before: 'Summary of what was said before:' };
const ZH = { user: '用户：', assistant: '助手：', before: '更早对话的摘要：' };

function wordsFor(text: string): typeof EN {
  return /[\u4e00-\u9fff]/.test(text) ? ZH : EN;
}
