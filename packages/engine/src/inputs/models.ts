import { ModelFailure, type InputModel, type ModelMessage, type ModelProvider } from '@bailing/plugin-api';
import type { RouteSettings } from '../ports/index.js';
import type { InputDeps, OpenedCredential } from './words.js';

/** What a policy says of its model. */
interface Named {
  readonly credential?: string;
  readonly model?: string;
}

/** Characters of an answer about an input; a model that never stops is left there. */
const ANSWER_CHARS = 200_000;

/**
 * A model that looks at images: named by the policy, in the policy's own credential or the brain's (WIRE §12). The brain's own model is not taken for a
 * model that sees. Undefined where none is configured or none resolves.
 */
export function visionModel(route: RouteSettings, named: Named, deps: InputDeps): InputModel | undefined {
  const own = named.credential !== undefined && named.credential !== route.target_config.credential;
  const opened = deps.credential(route, own ? named.credential : undefined);
  const model = named.model ?? (own ? opened?.row.default_model : undefined);
  return opened && model !== undefined ? open(opened, model) : undefined;
}

/** A model that shortens texts: any that answers will do, so the brain's own is taken where none is named. */
export function textModel(route: RouteSettings, named: Named, deps: InputDeps): InputModel | undefined {
  const { target_config: brain } = route;
  const own = named.credential !== undefined && named.credential !== brain.credential;
  const opened = deps.credential(route, own ? named.credential : undefined);
  const model = named.model ?? (own ? undefined : brain.model) ?? opened?.row.default_model;
  return opened && model !== undefined ? open(opened, model) : undefined;
}

/** A model that hears: its own credential, its model and its endpoint, or none at all. Nothing falls back to the brain's. */
export function speechModel(route: RouteSettings, named: Named, deps: InputDeps): InputModel | undefined {
  const opened = named.credential === undefined ? undefined : deps.credential(route, named.credential);
  const model = named.model ?? opened?.row.default_model;
  return opened?.row.base_url !== undefined && model !== undefined ? open(opened, model) : undefined;
}

function open({ row, provider }: OpenedCredential, model: string): InputModel {
  return {
    name: model,
    credential: row,
    ask: ({ system, text, parts }, signal) => {
      const said: ModelMessage = { role: 'user', content: text, ...(parts && { parts }) };
      const messages: ModelMessage[] = system === undefined ? [said] : [{ role: 'system', content: system }, said];
      return answerOf(provider, { model, messages, tools: [] }, signal);
    },
  };
}

async function answerOf(provider: ModelProvider, request: Parameters<ModelProvider['answer']>[0], signal: AbortSignal): Promise<string> {
  let text = '';
  let ended = false;
  for await (const delta of provider.answer(request, signal)) {
    if (delta.is === 'text') text += delta.text;
    if (delta.is === 'end') ended = true;
    if (text.length > ANSWER_CHARS) break;
  }
  if (!ended && text.length <= ANSWER_CHARS) throw new ModelFailure('the answer of the model was cut off', true);
  return text.slice(0, ANSWER_CHARS).trim();
}
