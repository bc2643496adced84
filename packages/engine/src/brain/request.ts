import { SENDS_PER_JOB } from '@bailing/contract';
import type { ModelMessage, ModelRequest, ModelTool } from '@bailing/plugin-api';
import { SEND_MESSAGE } from '../messages/index.js';
import type { RouteSettings } from '../ports/index.js';
import type { Turn } from './assemble.js';
import type { Exposure } from './exposure.js';
import type { LoopInput } from './loop-words.js';

/** What a model is asked: the messages so far and the tools of the moment, with the route's model and temperature. */
export function requestOf(
  { target_config: config }: RouteSettings,
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
): ModelRequest {
  return {
    messages,
    tools,
    ...(config.model !== undefined && { model: config.model }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
  };
}

export function added(before: Turn['usage'], more: Turn['usage']): Turn['usage'] {
  return { inputTokens: before.inputTokens + more.inputTokens, outputTokens: before.outputTokens + more.outputTokens };
}

/** Rounds a job may take (WIRE §11.3): its calls and two, and what looking at the catalogue, at images and sending messages may take. */
export function roundsOf({ view, maxCalls, attached }: LoopInput, exposure: Exposure): number {
  const sends = view.tools.has(SEND_MESSAGE) ? SENDS_PER_JOB : 0;
  const looks = attached?.sight ? attached.sight.limit + 1 : 0;
  return 2 + maxCalls + (exposure.mode === 'catalog' ? 1 : 0) + looks + sends;
}
