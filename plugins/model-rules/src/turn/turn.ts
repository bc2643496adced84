import type { ModelMessage } from '@bailing/plugin-api';
import { userText } from './fences.js';

/** One call of this turn and what came back. */
export interface Done {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Undefined where no result message exists. */
  readonly result: string | undefined;
}

/** What a request for an answer is about: the user's words, the calls made for them, and what was said before. */
export interface Turn {
  readonly input: string;
  readonly done: readonly Done[];
  /** What the user said in earlier turns, latest first. */
  readonly earlier: readonly string[];
  /** `YYYY-MM-DD` out of the trusted messages, if one names today. */
  readonly today: string | undefined;
}

/**
 * The turn begins after the last answer in plain text. Its request is the last user message before the first call; user messages after
 * calls are the hub's own words about the budget and are no requests.
 */
export function readTurn(messages: readonly ModelMessage[]): Turn {
  const begin = messages.findLastIndex((message) => message.role === 'assistant' && (message.calls?.length ?? 0) === 0) + 1;
  const turn = messages.slice(begin);
  const firstCall = turn.findIndex((message) => message.role === 'assistant');
  const before = firstCall < 0 ? turn : turn.slice(0, firstCall);
  const input = before.findLast((message) => message.role === 'user') ?? turn.find((message) => message.role === 'user');
  const earlier = messages.slice(0, begin).filter((message) => message.role === 'user');
  return {
    input: userText(input?.content ?? ''),
    done: doneCalls(turn),
    earlier: earlier.map((message) => userText(message.content)).reverse(),
    today: todayOf(messages),
  };
}

function doneCalls(turn: readonly ModelMessage[]): Done[] {
  const results = new Map<string, string>();
  for (const message of turn) if (message.role === 'tool') results.set(message.callId, message.content);
  return turn.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return (message.calls ?? []).map((call) => ({ tool: call.name, args: objectOf(call.arguments), result: results.get(call.id) }));
  });
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** System messages carry the time line, last in their text; a date without a word about time beside it is not taken for today. */
function todayOf(messages: readonly ModelMessage[]): string | undefined {
  for (const message of messages) {
    if (message.role !== 'system') continue;
    const lines = [
      ...message.content.matchAll(/(?:now|today|current|time|当前|现在|今天|时间|日期)[^\n]{0,60}?(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})/gi),
    ];
    const line = lines.at(-1);
    if (line) return `${line[1] ?? ''}-${(line[2] ?? '').padStart(2, '0')}-${(line[3] ?? '').padStart(2, '0')}`;
  }
  return undefined;
}
