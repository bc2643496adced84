import type { ModelPart } from '@bailing/plugin-api';
import type { Link } from './links.js';
import { visionModel } from './models.js';
import type { Phrases } from './phrases.js';
import { Sight } from './sight.js';
import type { InputContext } from './words.js';

/** WIRE §12: what an image policy is where the route says nothing. */
const DEFAULTS = { mode: 'tool', max_calls: 6 } as const;

export interface ImagesRead {
  readonly block: string;
  readonly duties: readonly string[];
  readonly parts: readonly ModelPart[];
  readonly mode: 'tool' | 'prepass' | 'inline' | 'off';
  readonly sight?: Sight;
}

/** How the images of a job are looked at by its brain; undefined where they are not, or not that way. */
export function sightOf(links: readonly Link[], context: InputContext): Sight | undefined {
  const policy = { ...DEFAULTS, ...context.route.target_config.input?.image };
  if (links.length === 0 || (policy.mode !== 'tool' && policy.mode !== 'prepass')) return undefined;
  const model = visionModel(context.route, policy, context.deps);
  return model && new Sight(links, model, policy.max_calls, context);
}

/** The images a user linked to, by the route's policy (WIRE §12). `executor`: an executor looks for itself, where it is to look. */
export async function readImages(links: readonly Link[], phrases: Phrases, context: InputContext, executor: boolean): Promise<ImagesRead> {
  const { input, credential } = context.route.target_config;
  const { mode } = { ...DEFAULTS, ...input?.image };
  const none = { block: '', duties: [], parts: [], mode };
  if (links.length === 0 || (executor && mode === 'tool')) return none;
  if (mode === 'off') return { ...none, duties: [phrases.unseenDuty] };
  const sight = sightOf(links, context);
  if (!sight) {
    if (mode !== 'inline') {
      const named = input?.image?.credential ?? credential ?? '';
      context.note('perception_degraded', { requested: mode, reason: 'vision_model_unresolved', credential: named });
    }
    return { ...none, parts: links.map(({ url }) => ({ is: 'image', url })), mode: 'inline' };
  }
  if (mode === 'prepass') return { ...none, block: `${phrases.seen}\n${await sight.describe()}` };
  return { ...none, duties: [phrases.see(links.length, sight.limit)], sight };
}
