import type { LoopEnd } from '../brain/index.js';
import type { JobRow } from '../ports/index.js';

/** The end of a job that the hub answers itself, in a sentence that is always the same. */
export function guided(text: string, job: JobRow, model: string, maxCalls: number): LoopEnd {
  const used = job.callsUsed;
  const remaining = Math.max(0, maxCalls - used);
  return {
    is: 'answer',
    text,
    facts: {
      model,
      toolCalls: 0,
      budget: { used, limit: maxCalls, remaining, exhausted: remaining === 0 },
      usage: { inputTokens: 0, outputTokens: 0 },
      pending: [],
      repaired: false,
    },
  };
}
