import { REQUEST_ID_CHARS, SEND_FILE_NAME_CHARS, SEND_RECIPIENTS } from '@bailing/contract';
import { isWebAddress, recipientsOf, type OutMessage, type SendRequest } from '@bailing/engine';
import { BailingError } from '@bailing/plugin-api';

type Members = Readonly<Record<string, unknown>>;

const TEXT_CHARS = 2_000;
const MEDIA = 9;
const RECIPIENT_CHARS = 320;
const FIELDS: ReadonlySet<string> = new Set(['request_id', 'channel', 'to', 'text', 'images', 'files', 'card']);
// eslint-disable-next-line no-control-regex -- naming them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
/** What no file name may hold. */
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNFIT = /[\u0000-\u001f\u007f\\/]/;
/** What a card may say, in characters (WIRE §13.3). */
const CARD = { title: 128, url: 2_048, description: 512, btntxt: 8 } as const;

/**
 * Checks a `POST /send` body (WIRE §10.5); nothing is coerced or cut but the names of files.
 * @throws BailingError BAILING_REQUEST_MALFORMED; `at` is the member
 */
export function readSendRequest(body: unknown): SendRequest {
  if (!isObject(body)) throw malformed('body', 'The body must be a JSON object.');
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw malformed(unknown.slice(0, 64), `The member ${JSON.stringify(unknown.slice(0, 64))} is not known.`);
  const card = cardOf(body.card);
  const text = optionalText(body, 'text', TEXT_CHARS).trim();
  const message: OutMessage = {
    channel: requiredText(body, 'channel', 64),
    to: toOf(body.to),
    text,
    images: list(body, 'images').map((one, index) => addressOf(one, `images[${String(index)}]`)),
    files: list(body, 'files').map((one, index) => fileOf(one, `files[${String(index)}]`)),
    ...(card && { card }),
  };
  if (text === '' && message.images.length === 0 && message.files.length === 0 && !card)
    throw malformed('text', 'Send text, images, files or a card.');
  return { request_id: requiredText(body, 'request_id', REQUEST_ID_CHARS), message };
}

function toOf(to: unknown): readonly string[] {
  const found = recipientsOf(to);
  const people = Array.isArray(found) ? (found as readonly unknown[]).filter((one) => typeof one === 'string') : [];
  if (people.length === 0) throw malformed('to', 'to names recipients: text, "A|B" or a list of texts.');
  if (people.length > SEND_RECIPIENTS) throw malformed('to', `to names at most ${String(SEND_RECIPIENTS)} recipients.`);
  if (people.some((one) => one.length > RECIPIENT_CHARS || CONTROL.test(one))) throw malformed('to', 'to names somebody who cannot exist.');
  return people;
}

function requiredText(body: Members, name: string, max: number): string {
  const value = body[name];
  if (typeof value !== 'string' || !/\S/.test(value)) throw malformed(name, `${name} must be a string that is not blank.`);
  if (value.length > max) throw malformed(name, `${name} must have at most ${String(max)} characters.`);
  return value;
}

function optionalText(body: Members, name: string, max: number): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string' || value.length > max)
    throw malformed(name, `${name} must be a string of at most ${String(max)} characters.`);
  return value;
}

function list(body: Members, name: string): readonly unknown[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || value.length > MEDIA) throw malformed(name, `${name} must be a list of at most ${String(MEDIA)}.`);
  return value as readonly unknown[];
}

function addressOf(value: unknown, at: string): string {
  if (!isWebAddress(value)) throw malformed(at, `${at} must be an absolute http or https URL without user name and password.`);
  return value;
}

function fileOf(value: unknown, at: string) {
  if (!isObject(value)) throw malformed(at, `${at} must be an object with url and name.`);
  const url = addressOf(value.url, `${at}.url`);
  const name = optionalText(value, 'name', 1_024).trim() || (new URL(url).pathname.split('/').at(-1) ?? '');
  const plain = name.split(UNFIT).join('_').slice(0, SEND_FILE_NAME_CHARS).toWellFormed();
  return { name: plain === '' ? 'file' : plain, url };
}

function cardOf(value: unknown): OutMessage['card'] {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw malformed('card', 'card must be an object.');
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(CARD, name));
  if (unknown !== undefined) throw malformed('card', `The member ${JSON.stringify(unknown.slice(0, 64))} is not known.`);
  const [description, btntxt] = (['description', 'btntxt'] as const).map((name) => optionalText(value, name, CARD[name]));
  return {
    title: requiredText(value, 'title', CARD.title),
    url: addressOf(value.url, 'card.url'),
    ...(description !== undefined && description !== '' && { description }),
    ...(btntxt !== undefined && btntxt !== '' && { btntxt }),
  };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
