import { ChannelFailure, type ChannelContext, type ChannelFile, type ChannelMessage } from '@bailing/plugin-api';
import MailComposer from 'nodemailer/lib/mail-composer';
import { Readable } from 'node:stream';
import type { EmailConfig } from './config.js';
import { inSteps } from './steps.js';

/** One mail as it goes over the wire: built once, before a connection is opened. */
export interface Mail {
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** Recipients of one SMTP transaction; servers commonly take a hundred. */
export const RECIPIENTS_A_MAIL = 100;
const SUBJECT_CHARS = 120;
const ADDRESS = /^[^\s<>@,;:"\\]+@[^\s<>@,;:"\\]+$/;

/** The mails that carry a message: one for every hundred recipients, all with the same content. @throws ChannelFailure for what is no mail address */
export async function composed(config: EmailConfig, message: ChannelMessage, context: ChannelContext): Promise<readonly Mail[]> {
  const wrong = message.recipients.find((one) => !ADDRESS.test(one));
  if (wrong !== undefined) throw new ChannelFailure(`${JSON.stringify(wrong.slice(0, 100))} is not a mail address`, false);
  const mails: Mail[] = [];
  for (let from = 0; from < message.recipients.length; from += RECIPIENTS_A_MAIL) {
    const to = message.recipients.slice(from, from + RECIPIENTS_A_MAIL);
    mails.push({ to, raw: await rawOf(config, message, to, { ...context, nth: mails.length + 1 }) });
  }
  return mails;
}

function rawOf(
  config: EmailConfig,
  message: ChannelMessage,
  to: readonly string[],
  { key, at, nth }: ChannelContext & { readonly nth: number },
): Promise<Buffer> {
  const visible = to.length === 1 || config.show_recipients;
  const mail = new MailComposer({
    from: { name: config.from_name ?? '', address: config.from },
    // Who else got it stands in the envelope only.
    to: visible ? to.map((address) => ({ name: '', address })) : { name: 'Undisclosed recipients', address: config.from },
    subject: subjectOf(config, message),
    text: textOf(message),
    date: new Date(at),
    // The same message of the same job has the same id, so that a mailbox or a person can tell a second one.
    messageId: `<${key.slice(0, 32)}.${String(nth)}@${config.from.split('@')[1] ?? 'localhost'}>`,
    headers: { 'X-Bailing-Idempotency-Key': key, 'Auto-Submitted': 'auto-generated' },
    attachments: [...message.images, ...message.files].map(attached),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Promise((resolve, reject) => {
    mail.compile().build((error, raw) => (error ? reject(error) : resolve(raw)));
  });
}

function subjectOf({ subject }: EmailConfig, { card, text }: ChannelMessage): string {
  const line = subject ?? card?.title ?? text.split('\n').find((one) => one.trim() !== '') ?? 'Message';
  const short = line.trim();
  return short.length <= SUBJECT_CHARS ? short : `${short.slice(0, SUBJECT_CHARS - 1).toWellFormed()}…`;
}

/** A card is its title, its description and its link. */
function textOf({ text, card }: ChannelMessage): string {
  if (!card) return text;
  return [text, card.title, card.description ?? '', card.url].filter((part) => part !== '').join('\n\n');
}

function attached({ name, contentType, bytes }: ChannelFile) {
  return { filename: name, contentType, content: Readable.from(inSteps(bytes)) };
}
