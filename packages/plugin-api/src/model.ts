import type { JsonSchema } from './tool.js';

/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** A tool call a model proposed. `id` is the hub's own; ids of providers repeat within and across turns. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them, unparsed. */
  readonly arguments: string;
  /** What the provider sent beside the call and wants back with it, such as a signature of its thoughts: text that only its plugin reads. */
  readonly echo?: string;
}

/**
 * Media beside the words of a user. A model that cannot take them answers with an error or leaves them out. Audio goes as an address, or as bytes in a
 * data URL.
 */
export type ModelPart =
  | { readonly is: 'image'; readonly url: string }
  | { readonly is: 'audio'; readonly url: string }
  | { readonly is: 'audio'; readonly data: string };

export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly parts?: readonly ModelPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly calls?: readonly ModelCall[]; readonly reasoning?: string }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };

export interface ModelRequest {
  readonly model?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly temperature?: number;
}

/** Normalised pieces of one answer. The engine assembles them; anything ambiguous or cut off executes nothing. */
export type ModelDelta =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'reasoning'; readonly text: string }
  | {
      readonly is: 'call';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: string;
      readonly echo?: string;
    }
  | { readonly is: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly is: 'end'; readonly reason: 'stop' | 'tool_calls' | 'length' | 'other' };

/** Asks one model once. A stream without an `end` counts as cut off. Failures are thrown as {@link ModelFailure}. */
export interface ModelProvider {
  /** The model's name for results and audit. */
  readonly name: string;
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

/** `transient`: network, timeout, 429, ≥ 500, unparsable or empty answer (WIRE §11.1). `message` holds no secret. */
export class ModelFailure extends Error {
  constructor(
    message: string,
    readonly transient: boolean,
    readonly status?: number,
  ) {
    super(message);
    this.name = 'ModelFailure';
  }
}

/** The credential row a model is opened with (WIRE §18). `api_key` is a secret and stays in memory. */
export interface CredentialRow {
  readonly name: string;
  /** Which model kind opens it; an addition to the contract, `openai` where absent. */
  readonly provider: string;
  readonly base_url?: string;
  readonly api_key?: string;
  readonly default_model?: string;
  readonly timeout_ms?: number;
}

/** One kind of model endpoint: rows of credentials name it; one provider is opened per row revision. */
export interface ModelKind {
  /** Members of the row this kind needs, as JSON Schema; secrets are `writeOnly`. */
  readonly row: JsonSchema;
  open(row: CredentialRow): ModelProvider;
}
