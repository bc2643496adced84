import { readFiles } from './files.js';
import { readImages, sightOf } from './images.js';
import { linksOf, type Links } from './links.js';
import { phrasesFor } from './phrases.js';
import type { Sight } from './sight.js';
import type { InputContext, Prepared } from './words.js';

/**
 * Reads what a user linked to, by the route's policy, before any brain is asked: recordings first, then files, then images (WIRE §12). Only links in the
 * user's own words count. What cannot be read costs that one thing and is named as unread.
 * @throws what stopped the job, where the job was stopped
 */
export async function prepareInputs(context: InputContext, executor = false): Promise<Prepared> {
  const links = linksOf(context.text);
  if (links.image.length + links.audio.length + links.file.length === 0) return nothing(context.text, links);
  const phrases = phrasesFor(context.text);
  const files = await readFiles(links.file, phrases, context);
  const images = await readImages(links.image, phrases, context, executor);
  const beyond = links.beyond > 0 ? [phrases.beyond(links.beyond)] : [];
  return {
    said: context.text,
    blocks: [files.block, images.block, ...beyond].filter((part) => part !== '').join('\n\n'),
    parts: images.parts,
    duties: [...files.duties, ...images.duties],
    stripped: phrases.stripped,
    ...(images.sight && { sight: images.sight }),
    facts: {
      ...(links.image.length > 0 && { vision_mode: images.mode, images: links.image.length }),
      ...(links.file.length > 0 && { file_mode: files.mode, files: links.file.length }),
    },
    handed: { image: images.mode === 'off' ? [] : links.image, audio: [], file: files.mode === 'off' ? [] : links.file },
  };
}

/** How the images of a job can be looked at where its loop goes on: everything else was read when it began. */
export function resumedSight(context: InputContext): Sight | undefined {
  return context.route.target_config.input?.image?.mode === 'prepass' ? undefined : sightOf(linksOf(context.text).image, context);
}

function nothing(text: string, { image, audio, file }: Links): Prepared {
  return { said: text, blocks: '', parts: [], duties: [], facts: {}, handed: { image, audio, file } };
}
