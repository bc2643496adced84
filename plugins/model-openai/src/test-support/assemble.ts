import type { ModelDelta } from '@bailing/plugin-api';

export interface Assembled {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  readonly usage?: readonly [number, number];
  readonly end: string;
}

/** Joins the deltas of one answer the way the engine does: by index; an answer without `end` is cut off and counts as nothing. */
export async function assemble(deltas: AsyncIterable<ModelDelta>): Promise<Assembled> {
  const all: ModelDelta[] = [];
  for await (const delta of deltas) all.push(delta);
  return joined(all);
}

export function joined(deltas: readonly ModelDelta[]): Assembled {
  let text = '';
  let reasoning = '';
  let usage: readonly [number, number] | undefined;
  let end: string | undefined;
  const calls: { name: string; args: string }[] = [];
  for (const delta of deltas) {
    if (end !== undefined) throw new Error('a delta after the end');
    if (delta.is === 'text') text += delta.text;
    else if (delta.is === 'reasoning') reasoning += delta.text;
    else if (delta.is === 'usage') usage = [delta.inputTokens, delta.outputTokens];
    else if (delta.is === 'end') end = delta.reason;
    else {
      const call = (calls[delta.index] ??= { name: '', args: '' });
      call.name += delta.name ?? '';
      call.args += delta.arguments ?? '';
    }
  }
  if (end === undefined) throw new Error('cut off');
  return { text, reasoning, calls, ...(usage && { usage }), end };
}
