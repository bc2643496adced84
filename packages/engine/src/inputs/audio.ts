import type { ModelPart } from '@bailing/plugin-api';
import { ahead } from './ahead.js';
import type { Link } from './links.js';
import type { Phrases } from './phrases.js';
import { earOf, hear, type Ear } from './transcripts.js';
import type { Detail, InputContext } from './words.js';

export interface AudioRead {
  /** What was said in recordings, for the user's words; empty where nothing was heard. */
  readonly heard: string;
  /** About recordings that were not heard. */
  readonly block: string;
  readonly duties: readonly string[];
  readonly parts: readonly ModelPart[];
  readonly unheard: number;
  /** Where length alone kept all of them from being heard: the seconds that are listened to. */
  readonly mostSeconds?: number;
  readonly facts: Detail;
  readonly inline: boolean;
}

const NOTHING: AudioRead = { heard: '', block: '', duties: [], parts: [], unheard: 0, facts: {}, inline: false };

/**
 * Recordings a user linked to, by the route's policy (WIRE §12). Everything that is not configured and working is off: no recording goes to a model that
 * was not chosen for it, and nothing is concluded from what is known about it.
 */
export async function readAudio(links: readonly Link[], phrases: Phrases, context: InputContext): Promise<AudioRead> {
  if (links.length === 0) return NOTHING;
  const policy = context.route.target_config.input?.audio;
  const facts = { audio_mode: policy?.mode ?? 'off', audio: links.length };
  if (policy?.mode === 'inline') {
    return { ...NOTHING, parts: links.map(({ url }) => ({ is: 'audio', url })), facts, inline: true };
  }
  const ear = earOf(context.route, context.deps);
  if (ear) return transcribed(links, ear, phrases, context, facts);
  const reason = skipped(context);
  return unheardAll(links, phrases, { ...facts, audio_mode: 'off', audio_unavailable_reason: reason });
}

/** Why nothing is listened to; it is audited. */
function skipped({ route, note }: InputContext): string {
  const policy = route.target_config.input?.audio;
  if (policy?.mode === 'transcribe') {
    const reason = 'audio_model_unresolved';
    note('speech_degraded', { requested: 'transcribe', reason, credential: policy.credential ?? '' });
    return reason;
  }
  const reason = policy ? 'audio_policy_disabled' : 'audio_policy_unconfigured';
  note('speech_skipped', { requested: 'off', reason });
  return reason;
}

function unheardAll(links: readonly Link[], phrases: Phrases, facts: Detail): AudioRead {
  const block = links.map(({ name }, index) => phrases.unheard(index + 1, name, phrases.off)).join('\n');
  return { ...NOTHING, block, duties: [phrases.unheardDuty], unheard: links.length, facts };
}

async function transcribed(links: readonly Link[], ear: Ear, phrases: Phrases, context: InputContext, facts: Detail): Promise<AudioRead> {
  const said: string[] = [];
  const lost: string[] = [];
  let long = 0;
  const hearing = ahead(links, async (link, index, turn) => ({ link, index, one: await hear(link, index, ear, context, turn) }));
  for await (const { link, index, one } of hearing) {
    context.note('speech', {
      mode: 'transcribe',
      protocol: ear.protocol,
      model: ear.model.name,
      index,
      ok: one.is === 'heard',
      bytes: one.bytes,
      mime: one.mediaType,
      ...(one.is === 'unheard' && { error: one.error }),
    });
    if (one.is === 'heard') said.push(`${phrases.heard(index + 1, link.name)}\n${one.text}`);
    else {
      if (one.length) long++;
      lost.push(phrases.unheard(index + 1, link.name, one.says));
    }
  }
  return {
    ...NOTHING,
    heard: said.join('\n\n'),
    block: lost.join('\n'),
    duties: lost.length > 0 ? [phrases.unheardDuty] : [],
    unheard: lost.length,
    ...(long === links.length && ear.maxSeconds !== undefined && { mostSeconds: ear.maxSeconds }),
    facts: { ...facts, audio_protocol: ear.protocol, audio_model: ear.model.name, audio_transcription_failures: lost.length },
  };
}
