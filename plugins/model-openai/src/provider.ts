import type { CredentialRow, Http, Log, ModelDelta, ModelProvider, ModelRequest } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';
import { readAnswer } from './answer.js';
import type { Send } from './client.js';
import { openClient, StatusFailure } from './client.js';
import type { Scrub } from './failure.js';
import { networkFailure, scrubber } from './failure.js';
import { bodyOf } from './request.js';
import { Watch } from './watch.js';

export interface OpenaiOptions {
  /** Milliseconds for one whole answer where the row names none (WIRE §11.1: 120 000). */
  readonly timeoutMs: number;
  /** Milliseconds of silence between two pieces of an answer. */
  readonly idleMs: number;
  readonly streaming: boolean;
  /** Ask streaming providers for a usage chunk. */
  readonly usage: boolean;
}

const NO_STREAM_STATUS = new Set([400, 404, 415, 422, 501]);
const NO_STREAM_TEXT =
  /stream\w*[^.;\n]{0,80}\b(un|not\b|n't\b|only\b|disabled|false)|\b(un|not|n't|no)\w*\s[^.;\n]{0,60}stream|不支持[^。；\n]{0,20}流|流式[^。；\n]{0,20}不(支持|可用)/i;

/** One OpenAI-compatible endpoint, opened per row revision. */
export function openaiProvider(row: CredentialRow, http: Http, log: Log, options: OpenaiOptions): ModelProvider {
  const scrub = scrubber([row.api_key ?? '']);
  const send = openClient(row, http, scrub);
  return {
    name: row.default_model ?? row.name,
    answer: (request, signal) => answer(request, signal, { row, send, scrub, log, options }),
  };
}

interface Deps {
  readonly row: CredentialRow;
  readonly send: Send;
  readonly scrub: Scrub;
  readonly log: Log;
  readonly options: OpenaiOptions;
}

async function* answer(request: ModelRequest, signal: AbortSignal, deps: Deps): AsyncGenerator<ModelDelta, void, undefined> {
  const watch = new Watch(signal, deps.row.timeout_ms ?? deps.options.timeoutMs, deps.options.idleMs);
  try {
    const stopped = watch.failure();
    if (stopped) throw stopped;
    yield* readAnswer(await respond(request, watch, deps), watch, deps.scrub);
  } catch (error) {
    throw watch.failure() ?? failureOf(error, deps.scrub);
  } finally {
    watch.close();
  }
}

/** Streams; where the endpoint says that it cannot, asks once more without (WIRE §11.1). */
async function respond(request: ModelRequest, watch: Watch, { row, send, log, options }: Deps): Promise<Response> {
  const body = (stream: boolean): ReturnType<typeof bodyOf> => bodyOf(request, { model: row.default_model, stream, usage: options.usage });
  try {
    return await send(body(options.streaming), watch);
  } catch (error) {
    if (!options.streaming || !(error instanceof StatusFailure) || !refusesStreams(error)) throw error;
    log.warn('llm_stream_fallback: the endpoint refuses streams; asking once without', { credential: row.name, status: error.status });
    return send(body(false), watch);
  }
}

function refusesStreams({ status, said }: StatusFailure): boolean {
  return NO_STREAM_STATUS.has(status) && NO_STREAM_TEXT.test(said);
}

function failureOf(error: unknown, scrub: Scrub): ModelFailure {
  if (error instanceof ModelFailure) return error;
  return error instanceof StatusFailure ? error.failure : networkFailure(error, scrub);
}
