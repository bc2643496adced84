import type { ModelDelta } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';
import { CallBook } from './calls.js';
import type { Scrub } from './failure.js';
import { broken, statusFailure } from './failure.js';
import type { Json } from './shape.js';
import { isJson, list, member, word } from './shape.js';

type EndReason = Extract<ModelDelta, { is: 'end' }>['reason'];

/** Turns the chunks of one answer, or one whole completion, into deltas. Knows the dialects; holds no text. */
export class ChunkReader {
  readonly #calls = new CallBook();
  readonly #scrub: Scrub;
  #usage: ModelDelta | undefined;
  #finish: string | undefined;
  #anyDelta = false;

  constructor(scrub: Scrub) {
    this.#scrub = scrub;
  }

  /** The provider has said how the answer ends; only usage can still follow. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** One parsed chunk. Throws ModelFailure for an error in the middle of the stream. */
  read(chunk: unknown): ModelDelta[] {
    if (!isJson(chunk)) throw broken('a chunk that is not an object');
    this.#refuseError(chunk);
    this.#noteUsage(member(chunk.x_groq, 'usage'));
    this.#noteUsage(chunk.usage);
    const choices = list(chunk.choices);
    const choice = choices.find((one) => (member(one, 'index') ?? 0) === 0);
    if (!isJson(choice)) return [];
    this.#noteUsage(choice.usage);
    const finish = word(choice.finish_reason);
    if (finish !== undefined) this.#finish = finish;
    if (finish === 'error' || finish === 'insufficient_system_resource')
      throw new ModelFailure(`The model stopped half-way (${finish}).`, true);
    return this.#delta(choice);
  }

  /** The closing deltas. `done`: the stream said `[DONE]` or was one whole completion. Without that and without a reason it was cut off. */
  end(done: boolean): ModelDelta[] {
    if (!done && this.#finish === undefined) throw broken('it ended without a finish_reason and without [DONE]');
    return [...this.#calls.end(), ...(this.#usage ? [this.#usage] : []), { is: 'end', reason: this.#reason() }];
  }

  #delta(choice: Json): ModelDelta[] {
    // MiniMax repeats the whole message in its last chunk: `message` counts only where no delta came.
    const delta = isJson(choice.delta) ? choice.delta : this.#anyDelta ? undefined : choice.message;
    if (!isJson(delta)) return [];
    this.#anyDelta = true;
    const deltas = [...this.#reasoning(delta), ...contentDeltas(delta.content)];
    const refusal = word(delta.refusal);
    if (refusal !== undefined) deltas.push({ is: 'text', text: refusal });
    const calls = list(delta.tool_calls);
    for (const call of calls) deltas.push(...this.#calls.add(call, calls.length === 1));
    if (isJson(delta.function_call)) deltas.push(...this.#calls.add({ index: 0, function: delta.function_call }, true));
    return deltas;
  }

  /** `reasoning_content` (DeepSeek, Qwen, Kimi, GLM) or `reasoning` (OpenRouter, Groq, vLLM); never both, some send the same text twice. */
  #reasoning(delta: Json): ModelDelta[] {
    const text = word(delta.reasoning_content) ?? word(delta.reasoning);
    return text === undefined ? [] : [{ is: 'reasoning', text }];
  }

  #reason(): EndReason {
    const calls = this.#calls.count > 0;
    switch (this.#finish) {
      case 'length':
        return 'length';
      case undefined:
      case 'stop':
      case 'end_turn':
      case 'eos':
        // Gemini, Ollama and others close a turn with calls by "stop".
        return calls ? 'tool_calls' : 'stop';
      case 'tool_calls':
      case 'function_call':
        return calls ? 'tool_calls' : 'other';
      default:
        return 'other';
    }
  }

  #noteUsage(usage: unknown): void {
    const input = member(usage, 'prompt_tokens');
    const output = member(usage, 'completion_tokens');
    if (!isCount(input) && !isCount(output)) return;
    this.#usage = { is: 'usage', inputTokens: isCount(input) ? input : 0, outputTokens: isCount(output) ? output : 0 };
  }

  #refuseError(chunk: Json): void {
    const error = chunk.error ?? (chunk.object === 'error' ? chunk : undefined);
    if (error === undefined || error === null || error === false) return;
    const said = this.#scrub(word(error) ?? word(member(error, 'message')) ?? word(chunk.message) ?? '');
    const status = [member(error, 'code'), member(error, 'status'), member(error, 'http_code')]
      .map(Number)
      .find((code) => code >= 400 && code < 600);
    if (status !== undefined) throw statusFailure(status, said);
    throw new ModelFailure(`The model endpoint reported an error: ${said || 'no reason given'}`, true);
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Text, or parts: Mistral sends `text` and `thinking` parts in one list. */
function contentDeltas(content: unknown): ModelDelta[] {
  if (typeof content === 'string') return content === '' ? [] : [{ is: 'text', text: content }];
  return list(content).flatMap((part): ModelDelta[] => {
    const text = word(member(part, 'text'));
    if (text !== undefined) return [{ is: 'text', text }];
    return contentDeltas(member(part, 'thinking')).map((delta): ModelDelta =>
      delta.is === 'text' ? { is: 'reasoning', text: delta.text } : delta,
    );
  });
}
