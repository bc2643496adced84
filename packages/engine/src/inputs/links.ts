import { attachmentsOf } from '../delivery/index.js';

/** One thing a user's words link to. */
export interface Link {
  readonly url: string;
  /** For people: the label, or the end of the address. */
  readonly name: string;
}

export interface Links {
  readonly image: readonly Link[];
  readonly audio: readonly Link[];
  readonly file: readonly Link[];
  /** Links beyond what one request may carry. */
  readonly beyond: number;
}

/** Things of one medium that one request may bring. */
const MOST = 20;
const NAME_CHARS = 120;

/** What a user's own words link to (WIRE §12). Never asked of anything else: not of tool output, not of knowledge. */
export function linksOf(text: string): Links {
  const all = attachmentsOf(text).filter(({ url }) => URL.canParse(url));
  const of = (type: 'image' | 'audio' | 'file') =>
    all
      .filter((one) => one.type === type)
      .map((one) => ({ url: one.url, name: nameOf('caption' in one ? one.caption : one.name, one.url) }));
  const [image, audio, file] = [of('image'), of('audio'), of('file')];
  const beyond = [image, audio, file].reduce((sum, { length }) => sum + Math.max(0, length - MOST), 0);
  return { image: image.slice(0, MOST), audio: audio.slice(0, MOST), file: file.slice(0, MOST), beyond };
}

/** The label, with the end of the address where the label has no ending of its own; without what could break out of a heading. */
function nameOf(label: string, url: string): string {
  const last = decoded(new URL(url).pathname.split('/').pop() ?? '');
  const words = label.trim() === '' ? last : label.trim();
  return plain(words === '' ? 'unnamed' : words);
}

/** The ending that says which kind of text a text is. */
export function endingOf({ name, url }: Link): string {
  const path = new URL(url).pathname;
  return /\.[a-z0-9]{1,10}$/i.exec(path)?.[0] ?? /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
}

/** An address for the audit: links to storage often carry their permission in the query. */
export function auditUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`.slice(0, 512);
}

function plain(text: string): string {
  return text
    .replace(/[\p{Cc}<>"`\u2028\u2029]/gu, ' ')
    .slice(0, NAME_CHARS)
    .toWellFormed();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const LINK = /!?\[[^[\]\n]{0,300}\]\((https?:\/\/[^\s()<>]{1,2048})(?:[ \t]{1,8}"[^"\n]{0,300}")?\)/gi;

/** What a user wrote beside the links: nothing where a message is nothing but what it links to. */
export function wordsBeside(text: string, links: readonly Link[]): string {
  const urls = new Set(links.map(({ url }) => url));
  return text
    .replace(LINK, (whole: string, url: string) => (urls.has(url) ? ' ' : whole))
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();
}
