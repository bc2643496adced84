import type { ModelDelta, ModelProvider, ModelRequest } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';
import { decide } from './decide.js';

/** The planner as a model: one call per answer, or one text. It looks at the request and at nothing else. */
export function rulesProvider(name: string): ModelProvider {
  return { name, answer };
}

async function* answer(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta, void, undefined> {
  if (signal.aborted) throw new ModelFailure('The planner was stopped by the hub before it answered.', true);
  const decision = decide(request);
  if (decision.is === 'call') {
    yield { is: 'call', index: 0, id: 'rules-1', name: decision.tool, arguments: JSON.stringify(decision.args) };
    yield { is: 'end', reason: 'tool_calls' };
    return;
  }
  for (const text of decision.text.split(/(?<=\n)/)) yield { is: 'text', text };
  yield { is: 'end', reason: 'stop' };
}
