import type { ModelRequest } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';
import { assemble } from './assemble.js';
import type { ModelServer } from './server.js';
import { provider } from './server.js';

export const KEY = 'sk-test-key-000';
export const ask: ModelRequest = { messages: [{ role: 'user', content: 'go' }], tools: [] };
/** A whole completion. */
export const hello = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
};
export const never: AbortSignal = new AbortController().signal;

/** Events of a stream, one piece each. */
export function sse(...chunks: unknown[]): Uint8Array[] {
  return chunks.map((chunk) => Buffer.from(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`));
}

export function delta(content: string, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finish }] };
}

/** The failure that asking ends in. */
export async function failure(
  server: ModelServer,
  more: Parameters<typeof provider>[1] = {},
  request = ask,
  signal: AbortSignal = never,
): Promise<ModelFailure> {
  try {
    await assemble(provider(server, more).answer(request, signal));
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
  throw new Error('expected a failure');
}
