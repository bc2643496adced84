import { readAudio, type AudioRead } from './audio.js';
import { FetchTime } from './fetch-time.js';
import { readFiles } from './files.js';
import { readImages, sightOf } from './images.js';
import { linksOf, wordsBeside, type Links } from './links.js';
import { phrasesFor, type Phrases } from './phrases.js';
import type { InputContext, InputOrder, Prepared } from './words.js';

/**
 * Reads what a user linked to, by the route's policy, before any brain is asked: recordings first, because what is said in them is as good as typed, then
 * files, then images (WIRE §12). Only links in the user's own words count. What cannot be read costs that one thing and is named as unread. `executor`:
 * an executor looks at images itself, where its route does not have them described.
 * @throws what stopped the job, where the job was stopped
 */
export async function prepareInputs(order: InputOrder, executor = false): Promise<Prepared> {
  const links = linksOf(order.text);
  const context: InputContext = { ...order, fetching: new FetchTime(links) };
  if (links.image.length + links.audio.length + links.file.length === 0) return nothing(context.text, links);
  const phrases = phrasesFor(context.text);
  const audio = await readAudio(links.audio, phrases, context);
  const said = [context.text, audio.heard].filter((part) => part !== '').join('\n\n');
  const heard = { ...context, text: said };
  const files = await readFiles(links.file, phrases, heard);
  const images = await readImages(links.image, phrases, heard, executor);
  const beyond = links.beyond > 0 ? [phrases.beyond(links.beyond)] : [];
  const guidance = guidanceFor(context.text, links, audio, phrases);
  return {
    said,
    blocks: [audio.block, files.block, images.block, ...beyond].filter((part) => part !== '').join('\n\n'),
    parts: [...images.parts, ...audio.parts],
    duties: [...audio.duties, ...files.duties, ...images.duties],
    stripped: phrases.stripped,
    ...(images.sight && { sight: images.sight }),
    ...(guidance !== undefined && { guidance }),
    facts: {
      ...(links.image.length > 0 && { vision_mode: images.mode, images: links.image.length }),
      ...audio.facts,
      ...(links.file.length > 0 && { file_mode: files.mode, files: links.file.length }),
    },
    handed: {
      image: images.mode === 'off' ? [] : links.image,
      audio: audio.inline ? links.audio : [],
      file: files.mode === 'off' ? [] : links.file,
    },
  };
}

/** Where a message is nothing but recordings and none was heard, no model is needed, and none is left to guess: the answer is the hub's own. */
function guidanceFor(text: string, links: Links, audio: AudioRead, phrases: Phrases): string | undefined {
  const alone = links.audio.length > 0 && links.image.length + links.file.length === 0 && wordsBeside(text, links.audio) === '';
  return alone && audio.unheard === links.audio.length ? said(audio, phrases) : undefined;
}

/** Whoever could say it in less is told so. */
function said({ mostSeconds }: AudioRead, phrases: Phrases): string {
  return mostSeconds === undefined ? phrases.guidance : phrases.shorter(mostSeconds);
}

/** What a loop that goes on may still need: everything else was read when it began. */
export function resumedInputs(order: InputOrder): Prepared {
  const links = linksOf(order.text);
  const context: InputContext = { ...order, fetching: new FetchTime({ image: links.image, audio: [], file: [] }) };
  const policy = context.route.target_config.input?.image;
  const sight = policy?.mode === 'prepass' ? undefined : sightOf(links.image, context);
  const { stripped } = phrasesFor(context.text);
  return { ...nothing(context.text, { image: [], audio: [], file: [], beyond: 0 }), stripped, ...(sight && { sight }) };
}

function nothing(text: string, { image, audio, file }: Links): Prepared {
  return { said: text, blocks: '', parts: [], duties: [], facts: {}, handed: { image, audio, file } };
}
