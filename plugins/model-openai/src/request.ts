import type { ModelCall, ModelMessage, ModelRequest } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';
import type OpenAI from 'openai';
import { isJson, parsed } from './shape.js';

type Message = OpenAI.ChatCompletionMessageParam;
export type Body = OpenAI.ChatCompletionCreateParams;

export interface BodyOptions {
  readonly model: string | undefined;
  readonly stream: boolean;
  /** Ask for a usage chunk; an addition to the contract's body, off unless the operator wants figures. */
  readonly usage: boolean;
}

/** The request body of WIRE §11.1: `model, messages, stream`, `temperature` if numeric, `tools` if any. */
export function bodyOf(request: ModelRequest, options: BodyOptions): Body {
  const model = request.model ?? options.model;
  if (model === undefined || model === '') {
    throw new ModelFailure('No model is named: set target_config.model of the route or default_model of the credential.', false);
  }
  return {
    model,
    messages: messagesOf(request.messages),
    stream: options.stream,
    ...(options.stream && options.usage && { stream_options: { include_usage: true } }),
    ...(typeof request.temperature === 'number' && Number.isFinite(request.temperature) && { temperature: request.temperature }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        // A boolean schema is not something providers read; an object without members says the same.
        function: { name, description, parameters: isJson(parameters) ? { ...parameters } : { type: 'object', properties: {} } },
      })),
    }),
  };
}

/** Messages in the provider's words, in order; call ids stay paired. */
function messagesOf(messages: readonly ModelMessage[]): Message[] {
  const ids = new CallIds();
  return messages.map((message): Message => {
    if (message.role === 'tool') return { role: 'tool', tool_call_id: ids.of(message.callId), content: message.content };
    if (message.role === 'system') return { role: 'system', content: message.content };
    if (message.role === 'user') return { role: 'user', content: userContent(message) };
    const calls = message.calls ?? [];
    if (calls.length === 0) return { role: 'assistant', content: message.content };
    return {
      role: 'assistant',
      content: message.content === '' ? null : message.content,
      tool_calls: calls.map((call) => toolCall(call, ids)),
      // Providers that think want their thoughts back beside the calls they led to, and refuse them elsewhere.
      ...(message.reasoning !== undefined && message.reasoning !== '' && { reasoning_content: message.reasoning }),
    };
  });
}

/** Words alone, or words and media as the contract has them (WIRE §12). */
function userContent({ content, parts = [] }: Extract<ModelMessage, { role: 'user' }>): string | OpenAI.ChatCompletionContentPart[] {
  if (parts.length === 0) return content;
  const media = parts.map((part) => {
    if (part.is === 'image') return { type: 'image_url', image_url: { url: part.url } };
    return { type: 'input_audio', input_audio: 'url' in part ? { url: part.url } : { data: part.data } };
  });
  // Compatible endpoints take recordings by address or data URL; the SDK's types know one vendor's form only.
  return [...(content === '' ? [] : [{ type: 'text', text: content }]), ...media] as OpenAI.ChatCompletionContentPart[];
}

function toolCall(call: ModelCall, ids: CallIds): OpenAI.ChatCompletionMessageFunctionToolCall {
  // Several providers parse the arguments of old turns and answer 400 where they do not parse; the tool's own message says what was wrong.
  const args = isJson(parsed(call.arguments)) ? call.arguments : '{}';
  const echo = call.echo === undefined ? undefined : parsed(call.echo);
  const made = { id: ids.of(call.id), type: 'function' as const, function: { name: call.name, arguments: args } };
  return isJson(echo) ? { ...made, ...{ extra_content: echo } } : made;
}

/** Mistral demands exactly nine letters and digits, others take anything: ids that do not fit are numbered in order of appearance. */
class CallIds {
  readonly #given = new Map<string, string>();

  of(id: string): string {
    if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
    const known = this.#given.get(id) ?? `c${String(this.#given.size + 1).padStart(8, '0')}`;
    this.#given.set(id, known);
    return known;
  }
}
