import { SEND_FILE_BYTES, SEND_FILE_NAME_CHARS, SEND_FILES, SEND_RECIPIENTS, utf8Length } from '@bailing/contract';
import type { OutFile, OutMessage } from './message.js';

type Args = Readonly<Record<string, unknown>>;
type Problem = { readonly at: string; readonly says: string };

const TEXT_CHARS = 100_000;
/** The longest id of a person that a channel takes; a mail address has at most 320. */
const RECIPIENT_CHARS = 320;

/**
 * Arguments of `send_message` in the one form that gates, hash, journal and wire use (WIRE §13.1): recipients a list, each once; text trimmed; files
 * without content and address dropped; the only channel named. What has another shape is left as it is, for the schema to refuse.
 */
export function readSendArgs(args: Args, channels: readonly string[]): Args {
  const [only] = channels.length === 1 ? channels : [];
  const channel = args.channel ?? only;
  return {
    ...args,
    ...(channel !== undefined && { channel }),
    ...('to' in args && { to: recipientsOf(args.to) }),
    text: typeof args.text === 'string' ? args.text.trim() : (args.text ?? ''),
    ...(Array.isArray(args.files) && { files: filesOf(args.files) }),
  };
}

/** `A|B|C`, or a list of those; each person once, in the order they were named. What is no text is left for the schema. */
export function recipientsOf(to: unknown): unknown {
  const named: readonly unknown[] = Array.isArray(to) ? to : [to];
  if (!named.every((one) => typeof one === 'string')) return to;
  return [...new Set(named.flatMap((one) => one.split('|')).map((one) => one.trim()))].filter((one) => one !== '');
}

function filesOf(files: readonly unknown[]): unknown[] {
  return files.filter(isMeant).map((file) => {
    const name = isObject(file) ? file.name : undefined;
    return typeof name === 'string' && isObject(file) ? { ...file, name: name.trim().slice(0, SEND_FILE_NAME_CHARS).toWellFormed() } : file;
  });
}

function isMeant(file: unknown): boolean {
  return !isObject(file) || (file.content ?? '') !== '' || (file.url ?? '') !== '';
}

/** What is wrong with arguments that were read; empty where they are one message. */
export function sendProblems(args: unknown, channels: readonly string[]): readonly Problem[] {
  if (!isObject(args)) return [{ at: '', says: 'must be an object' }];
  const unknown = Object.keys(args).filter((name) => !MEMBERS.has(name));
  return [
    ...unknown.map((name) => ({ at: name, says: 'is not known' })),
    ...(typeof args.channel === 'string' && channels.includes(args.channel)
      ? []
      : [{ at: 'channel', says: `must be one of ${channels.join(', ')}` }]),
    ...recipientProblems(args.to),
    ...textProblems(args),
    ...(args.files === undefined ? [] : fileProblems(args.files)),
  ];
}

const MEMBERS: ReadonlySet<string> = new Set(['channel', 'to', 'text', 'files']);

function recipientProblems(to: unknown): Problem[] {
  if (!Array.isArray(to) || !to.every((one) => typeof one === 'string'))
    return [{ at: 'to', says: 'must be text, several recipients separated by |' }];
  if (to.length === 0) return [{ at: 'to', says: 'names nobody' }];
  if (to.length > SEND_RECIPIENTS) return [{ at: 'to', says: `names more than ${String(SEND_RECIPIENTS)} recipients` }];
  return to.some((one) => one.length > RECIPIENT_CHARS || hasControl(one)) ? [{ at: 'to', says: 'names somebody who cannot exist' }] : [];
}

function textProblems({ text, files }: Args): Problem[] {
  if (typeof text !== 'string') return [{ at: 'text', says: 'must be text' }];
  if (text.length > TEXT_CHARS) return [{ at: 'text', says: `is longer than ${String(TEXT_CHARS)} characters` }];
  const hasFiles = Array.isArray(files) && files.length > 0;
  return text === '' && !hasFiles ? [{ at: 'text', says: 'is empty, and there is no file' }] : [];
}

function fileProblems(files: unknown): Problem[] {
  if (!Array.isArray(files)) return [{ at: 'files', says: 'must be a list' }];
  if (files.length > SEND_FILES) return [{ at: 'files', says: `holds more than ${String(SEND_FILES)} files` }];
  return files.flatMap((file: unknown, index) => fileProblem(file).map((says) => ({ at: `files[${String(index)}]`, says })));
}

function fileProblem(file: unknown): string[] {
  if (!isObject(file)) return ['must be an object'];
  const { name, content, url, ...others } = file;
  const strange = Object.keys(others);
  if (strange.length > 0) return [`has an unknown member ${strange[0] ?? ''}`];
  if (typeof name !== 'string' || name === '' || hasControl(name) || /[\\/]/.test(name)) return ['needs a name without slashes'];
  if ((content === undefined) === (url === undefined)) return ['needs content or url, and not both'];
  if (url !== undefined) return isWebAddress(url) ? [] : ['needs an http or https address without user name and password'];
  if (typeof content !== 'string') return ['needs content as text'];
  return utf8Length(content) > SEND_FILE_BYTES ? [`is larger than ${String(SEND_FILE_BYTES)} bytes`] : [];
}

/** Of something that can be fetched, and shown: without a login in it. */
export function isWebAddress(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > 2_048 || !/^https?:\/\/[^\s]+$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** The message that valid arguments mean. */
export function messageOf(args: Args): OutMessage {
  const { channel, to, text, files = [], images = [], card, linked } = args as unknown as OutMessage;
  return { channel, to, text, files: files.map(fileOf), images, ...(card && { card }), ...(linked && { linked }) };
}

function fileOf(file: OutFile): OutFile {
  return 'url' in file ? { name: file.name, url: file.url } : { name: file.name, content: file.content };
}

function isObject(value: unknown): value is Args {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function hasControl(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- naming them is the point
  return /[\u0000-\u001f\u007f]/.test(text);
}
