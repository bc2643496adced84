import type { ModelMessage, ModelTool } from '@bailing/plugin-api';
import { rulesProvider } from '../provider.js';

export interface Played {
  readonly calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly text: string;
}

type Answers = (tool: string, args: Readonly<Record<string, unknown>>) => string;

/** Plays the hub's part: asks the planner, answers its calls, until it speaks. */
export async function play(
  says: string,
  tools: readonly ModelTool[],
  answers: Answers = () => '{"ok":true}',
  before: readonly ModelMessage[] = [],
): Promise<Played> {
  const messages: ModelMessage[] = [...before, { role: 'user', content: says }];
  const calls: [string, Readonly<Record<string, unknown>>][] = [];
  for (let round = 0; round < 30; round++) {
    const answer = await ask(messages, tools);
    if (!answer.call) return { calls, text: answer.text };
    const args = JSON.parse(answer.call.arguments) as Record<string, unknown>;
    calls.push([answer.call.name, args]);
    const id = `call-${String(round)}`;
    messages.push({ role: 'assistant', content: '', calls: [{ id, ...answer.call }] });
    messages.push({ role: 'tool', callId: id, name: answer.call.name, content: answers(answer.call.name, args) });
    messages.push({ role: 'user', content: `[hub] ${String(calls.length)} of 20 calls used.` });
  }
  throw new Error('the planner never came to an end');
}

export async function ask(
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
): Promise<{ text: string; call?: { name: string; arguments: string }; end: string }> {
  let text = '';
  let end = '';
  let call: { name: string; arguments: string } | undefined;
  for await (const delta of rulesProvider('rules').answer({ messages, tools }, new AbortController().signal)) {
    if (delta.is === 'text') text += delta.text;
    if (delta.is === 'call') call = { name: delta.name ?? '', arguments: delta.arguments ?? '' };
    if (delta.is === 'end') end = delta.reason;
  }
  return { text, end, ...(call && { call }) };
}
