import { definePlugin, points, type ModelDelta, type ModelKind, type ModelRequest } from '@bailing/plugin-api';

/** What a scripted job is told to do: turn by turn, the calls of each. The last turn is answered with what every call came to. */
export type Script = readonly (readonly { readonly tool: string; readonly arguments: unknown }[])[];

const script: ModelKind = {
  row: true,
  open: () => ({
    name: 'script',

    answer: async function* (request) {
      yield* turn(request);
    },
  }),
};

/** A model that follows the script in the user's text, so that a journey decides exactly which calls are proposed. Also where a route names no model. */
export const modelScriptPlugin = definePlugin({
  id: 'model-script',
  provides: (add) => [add(points.model, 'script', () => script), add(points.model, 'rules', () => script)],
});

function* turn({ messages }: ModelRequest): Generator<ModelDelta> {
  const user = messages.find(({ role }) => role === 'user');
  const turns = JSON.parse(taskOf(user?.content ?? '[]')) as Script;
  const done = messages.filter(({ role }) => role === 'assistant').length;
  const calls = turns[done] ?? [];
  for (const [index, { tool, arguments: args }] of calls.entries()) {
    yield { is: 'call', index, name: tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
  }
  if (calls.length === 0)
    yield { is: 'text', text: messages.flatMap((one) => (one.role === 'tool' ? [one.content] : [])).join('\n') || 'nothing' };
  yield { is: 'end', reason: calls.length > 0 ? 'tool_calls' : 'stop' };
}

/** The user's own words: background comes before them, in fences. */
export function taskOf(content: string): string {
  return /<task>\n([\s\S]*)\n<\/task>$/.exec(content)?.[1] ?? content;
}
