import { readFiles } from './files.js';
import { linksOf, type Links } from './links.js';
import { phrasesFor } from './phrases.js';
import type { InputContext, Prepared } from './words.js';

/**
 * Reads what a user linked to, by the route's policy, before any brain is asked: recordings first, then files, then images (WIRE §12). Only links in the
 * user's own words count. What cannot be read costs that one thing and is named as unread.
 * @throws what stopped the job, where the job was stopped
 */
export async function prepareInputs(context: InputContext): Promise<Prepared> {
  const links = linksOf(context.text);
  if (links.image.length + links.audio.length + links.file.length === 0) return nothing(context.text, links);
  const phrases = phrasesFor(context.text);
  const files = await readFiles(links.file, phrases, context);
  const beyond = links.beyond > 0 ? [phrases.beyond(links.beyond)] : [];
  return {
    said: context.text,
    blocks: [files.block, ...beyond].filter((part) => part !== '').join('\n\n'),
    parts: [],
    duties: files.duties,
    facts: links.file.length > 0 ? { file_mode: files.mode, files: links.file.length } : {},
    handed: { image: links.image, audio: [], file: files.mode === 'off' ? [] : links.file },
  };
}

function nothing(text: string, { image, audio, file }: Links): Prepared {
  return { said: text, blocks: '', parts: [], duties: [], facts: {}, handed: { image, audio, file } };
}
