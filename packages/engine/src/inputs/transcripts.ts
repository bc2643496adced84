import type { InputHandler, InputModel, Material } from '@bailing/plugin-api';
import type { RouteSettings } from '../ports/index.js';
import type { Turn } from './ahead.js';
import { unfenced } from './fence.js';
import { fetchMaterial, readMaterial } from './fetch-material.js';
import type { Link } from './links.js';
import { speechModel } from './models.js';
import type { InputContext, InputDeps } from './words.js';

/** WIRE §12: what is written down of one recording. */
const TRANSCRIPT_CHARS = 50_000;
const KEPT = 64;
const KEPT_MS = 600_000;

/** What came of one recording, with the facts its audit line has. */
export type Heard = { readonly bytes: number; readonly mediaType: string } & (
  | { readonly is: 'heard'; readonly text: string }
  | { readonly is: 'unheard'; readonly says: string; readonly error: string; readonly length?: true }
);

/** Where and how recordings of a route are written down; undefined where its policy does not resolve. */
export interface Ear {
  readonly model: InputModel;
  readonly protocol: string;
  readonly maxBytes: number;
  /** Longest recording that is written down; undefined: any. */
  readonly maxSeconds: number | undefined;
}

export function earOf(route: RouteSettings, deps: InputDeps): Ear | undefined {
  const policy = route.target_config.input?.audio;
  if (policy?.mode !== 'transcribe') return undefined;
  const model = speechModel(route, policy, deps);
  return model && { model, protocol: policy.protocol, maxBytes: policy.max_bytes, maxSeconds: policy.max_seconds };
}

/** Ears of one kind hear the same. */
export function sameEar({ model, protocol, maxBytes, maxSeconds }: Ear): string {
  return JSON.stringify([model.credential.name, model.name, protocol, maxBytes, maxSeconds ?? null]);
}

interface Kept {
  readonly until: number;
  readonly heard: Promise<Heard>;
}

/** Recordings written down lately: choosing a route and working on the job, and a job that is tried again, listen once. */
const lately = new WeakMap<InputDeps, Map<string, Kept>>();

/** Writes one recording down. @throws what stopped the job, where the job was stopped */
export async function hear(link: Link, index: number, ear: Ear, context: InputContext, turn: Turn): Promise<Heard> {
  const kept = lately.get(context.deps) ?? new Map<string, Kept>();
  lately.set(context.deps, kept);
  const now = context.deps.clock.now();
  const key = JSON.stringify([link.url, sameEar(ear)]);
  const known = kept.get(key);
  if (known && known.until > now) {
    // Whoever began it may have been stopped; then it is begun again here.
    const shared = await known.heard.catch(() => undefined);
    context.signal.throwIfAborted();
    if (shared) return shared;
  }
  const heard = listen(link, index, ear, context, turn);
  kept.delete(key);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, { until: now + KEPT_MS, heard });
  // Only what was heard is kept: everything else may go better next time.
  const forget = (): void => void (kept.get(key)?.heard === heard && kept.delete(key));
  heard.then(({ is }) => is === 'unheard' && forget(), forget);
  return heard;
}

async function listen(link: Link, index: number, ear: Ear, context: InputContext, turn: Turn): Promise<Heard> {
  const fetched = await fetchMaterial(link, index, { medium: 'audio', maxBytes: ear.maxBytes }, context, turn);
  await turn.mine(context.signal);
  if (fetched.is === 'unread') {
    const { says, error, bytes = 0, mediaType = '' } = fetched;
    return { is: 'unheard', says: `${says}.`, error, bytes, mediaType };
  }
  const { material, handler } = fetched;
  const facts = { bytes: material.bytes.length, mediaType: material.mediaType };
  const long = await tooLong(material, handler, ear, context);
  if (long) return { ...facts, is: 'unheard', ...long };
  const request = {
    mode: 'transcribe',
    materials: [material] as const,
    maxChars: TRANSCRIPT_CHARS,
    protocol: ear.protocol,
    model: ear.model,
  };
  const reading = await readMaterial(handler, request, context);
  if (reading.is !== 'text') return { ...facts, is: 'unheard', says: reading.says, error: reading.says.slice(0, 200) };
  return { ...facts, is: 'heard', text: unfenced(reading.text).slice(0, TRANSCRIPT_CHARS).toWellFormed().trim() };
}

/**
 * What keeps a recording from being written down where the policy limits the length: that it is longer, or that its length cannot be told. Nobody is paid
 * for more than the operator allowed.
 */
async function tooLong(material: Material, handler: InputHandler, { maxSeconds: most }: Ear, { deps }: InputContext) {
  if (most === undefined) return null;
  let seconds: number | undefined;
  try {
    seconds = await handler.seconds?.(material);
  } catch (error) {
    deps.log.warn('an input handler could not tell a length', { error: error instanceof Error ? error.name : 'unknown' });
  }
  if (typeof seconds !== 'number' || !(seconds >= 0))
    return {
      says: `how long it is cannot be told, and only ${String(most)} seconds are listened to.`,
      error: 'length_unknown',
      length: true,
    } as const;
  return seconds > most ? ({ says: `it is longer than ${String(most)} seconds.`, error: 'too_long', length: true } as const) : null;
}
