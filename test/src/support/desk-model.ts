import { definePlugin, points, type ModelDelta, type ModelRequest } from '@bailing/plugin-api';
import { taskOf } from './script-model.js';

/** What a job is told to do, turn by turn: the calls of each. The last turn answers with what every call came to, a line each. */
export type Script = readonly (readonly { readonly tool: string; readonly arguments: unknown }[])[];

/** A model that follows the script in the user's text, under a kind of its own beside the built-in ones. */
export const deskModelPlugin = definePlugin({
  id: 'model-desk-script',
  provides: (add) => [add(points.model, 'desk-script', () => ({ row: true, open: () => ({ name: 'desk-script', answer }) }))],
});

async function* answer({ messages }: ModelRequest): AsyncGenerator<ModelDelta> {
  const script = JSON.parse(taskOf(messages.find(({ role }) => role === 'user')?.content ?? '[]')) as Script;
  const calls = script[messages.filter(({ role }) => role === 'assistant').length] ?? [];
  for (const [index, { tool, arguments: args }] of calls.entries())
    yield { is: 'call', index, name: tool, arguments: JSON.stringify(args) };
  const results = messages.flatMap((one) => (one.role === 'tool' ? [one.content] : []));
  if (calls.length === 0) yield { is: 'text', text: results.join('\n') || 'nothing was asked' };
  yield { is: 'end', reason: calls.length > 0 ? 'tool_calls' : 'stop' };
}
