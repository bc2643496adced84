import type { ModelDelta } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';

/** One whole turn of a model. */
export interface Turn {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string; readonly echo?: string }[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly end: 'stop' | 'tool_calls' | 'length' | 'other';
}

/** Characters of one answer, reasoning and arguments included; a model that never stops is cut off here. */
const MAX_CHARS = 1_000_000;
const MAX_CALLS_IN_TURN = 128;

interface OpenCall {
  name: string;
  arguments: string;
  echo?: string;
}

/**
 * Puts a turn together from normalised deltas. Anything ambiguous or cut off executes nothing: a stream without its end, a call without
 * a name, an end by length inside a call, too much of anything is a failure of the whole turn.
 * @throws ModelFailure (transient)
 */
export async function assemble(deltas: AsyncIterable<ModelDelta>, onText: (text: string) => void = () => undefined): Promise<Turn> {
  const calls = new Map<number, OpenCall>();
  let text = '';
  let reasoning = '';
  let size = 0;
  let end: Turn['end'] | undefined;
  let usage = { inputTokens: 0, outputTokens: 0 };
  for await (const delta of deltas) {
    if (delta.is === 'text') {
      text += delta.text;
      onText(delta.text);
    } else if (delta.is === 'reasoning') reasoning += delta.text;
    else if (delta.is === 'call') grow(calls, delta);
    else if (delta.is === 'usage') usage = { inputTokens: delta.inputTokens, outputTokens: delta.outputTokens };
    else end = delta.reason;
    size += sizeOf(delta);
    if (size > MAX_CHARS || calls.size > MAX_CALLS_IN_TURN) throw new ModelFailure('the model answered without end', true);
  }
  return { text, reasoning, usage, ...closed(calls, end) };
}

function sizeOf(delta: ModelDelta): number {
  if (delta.is === 'call') return (delta.arguments?.length ?? 0) + (delta.echo?.length ?? 0);
  return 'text' in delta ? delta.text.length : 0;
}

function grow(calls: Map<number, OpenCall>, delta: Extract<ModelDelta, { is: 'call' }>): void {
  const open = calls.get(delta.index) ?? { name: '', arguments: '' };
  open.name += delta.name ?? '';
  open.arguments += delta.arguments ?? '';
  if (delta.echo !== undefined) open.echo = delta.echo;
  calls.set(delta.index, open);
}

function closed(calls: Map<number, OpenCall>, end: Turn['end'] | undefined): Pick<Turn, 'calls' | 'end'> {
  if (end === undefined) throw new ModelFailure('the answer of the model was cut off', true);
  const whole = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
  if (whole.some(({ name }) => name === '')) throw new ModelFailure('the model began a tool call without naming a tool', true);
  if (end === 'length' && whole.length > 0) throw new ModelFailure('the answer of the model was cut off inside a tool call', true);
  return { calls: whole, end };
}
