import {
  BailingError,
  ChannelFailure,
  type Channel,
  type ChannelContext,
  type ChannelFile,
  type ChannelMessage,
  type ChannelPart,
  type ChannelRow,
  type PartSent,
} from '@bailing/plugin-api';
import { isStale, mayWork, notSent, WecomApi, type Said } from './api.js';
import type { Given, WecomConfig } from './config.js';
import { numbered } from './split.js';
import { SharedToken } from './token.js';

/** `touser` and the message itself, as `message/send` takes it. */
export type Outgoing = Readonly<Record<string, unknown>>;

const CARD = { title: 128, description: 512, btntxt: 8 } as const;

/** The channel of one WeCom application: what the API's `errcode` says is what happened (WIRE §13.3). */
export function openWecom(row: ChannelRow, given: Given): Channel<Outgoing> {
  const config = row.config as unknown as WecomConfig;
  const api = new WecomApi(config, given);
  return new Wecom(config, api, new SharedToken(config, api, given));
}

class Wecom implements Channel<Outgoing> {
  constructor(
    private readonly config: WecomConfig,
    private readonly api: WecomApi,
    private readonly token: SharedToken,
  ) {}

  /** All media go up first: where one cannot, nobody has got anything. Then card or text, images, files. */
  async prepare(message: ChannelMessage, { signal }: ChannelContext): Promise<readonly ChannelPart<Outgoing>[]> {
    const wrong = message.recipients.find((one) => one.startsWith('@') || /[|,\s]/.test(one));
    if (wrong !== undefined) throw new ChannelFailure(`${JSON.stringify(wrong.slice(0, 64))} is not a WeCom user`, false);
    await this.token.get(signal);
    const images = await this.uploaded('image', message.images, signal);
    const files = await this.uploaded('file', message.files, signal);
    const to = { touser: message.recipients.join('|'), agentid: Number(this.config.agentid), safe: 0 };
    return [...words(message), ...images, ...files].map(({ says, body }) => ({ says, body: { ...to, ...body } }));
  }

  /** A token that was refused is renewed once: what was refused was not taken. */
  async deliver({ body }: ChannelPart<Outgoing>, { signal }: ChannelContext): Promise<PartSent> {
    let token: string;
    try {
      token = await this.token.get(signal);
    } catch (error) {
      return refusedBefore(error);
    }
    const first = await this.attempt(token, body, signal);
    if (!('said' in first) || !isStale(first.said)) return first.sent;
    try {
      token = await this.token.get(signal, token);
    } catch (error) {
      return refusedBefore(error);
    }
    return (await this.attempt(token, body, signal)).sent;
  }

  private async attempt(
    token: string,
    body: Outgoing,
    signal: AbortSignal,
  ): Promise<{ readonly sent: PartSent; readonly said?: Said } | { readonly sent: PartSent; readonly said: Said }> {
    try {
      const said = await this.api.send(token, body, signal);
      return { said, sent: sentBy(said) };
    } catch (error) {
      return { sent: lost(error) };
    }
  }

  private async uploaded(
    type: 'image' | 'file',
    files: readonly ChannelFile[],
    signal: AbortSignal,
  ): Promise<readonly ChannelPart<Outgoing>[]> {
    const parts: ChannelPart<Outgoing>[] = [];
    for (const file of files) {
      const id = await this.upload(type, file, signal);
      parts.push({ says: `${type} ${file.name}`.slice(0, 120), body: { msgtype: type, [type]: { media_id: id } } });
    }
    return parts;
  }

  private async upload(type: 'image' | 'file', file: ChannelFile, signal: AbortSignal): Promise<string> {
    const what = `${file.name} could not be uploaded`;
    try {
      let token = await this.token.get(signal);
      let said = await this.api.upload(token, type, file, signal);
      if (isStale(said)) {
        token = await this.token.get(signal, token);
        said = await this.api.upload(token, type, file, signal);
      }
      if (said.errcode === 0 && typeof said.media_id === 'string' && said.media_id !== '') return said.media_id;
      throw new ChannelFailure(`${what} (errcode ${String(said.errcode)})`, mayWork(said));
    } catch (error) {
      throw notSent(error, what);
    }
  }
}

/** A card replaces the text (WIRE §13.3). */
function words({ text, card }: ChannelMessage): readonly ChannelPart<Outgoing>[] {
  if (card) {
    const { url, btntxt = '详情' } = card;
    const description = card.description ?? (text === '' ? card.title : text);
    const textcard = {
      title: cut(card.title, CARD.title),
      description: cut(description, CARD.description),
      url,
      btntxt: cut(btntxt, CARD.btntxt),
    };
    return [{ says: 'card', body: { msgtype: 'textcard', textcard } }];
  }
  const parts = text === '' ? [] : numbered(text);
  const says = (index: number) => (parts.length === 1 ? 'text' : `text ${String(index + 1)}/${String(parts.length)}`);
  return parts.map((content, index) => ({ says: says(index), body: { msgtype: 'text', text: { content } } }));
}

function cut(text: string, max: number): string {
  return text.slice(0, max).toWellFormed();
}

/** With `errcode` 0 everybody has it but those that the answer names. */
export function sentBy(said: Said): PartSent {
  if (said.errcode !== 0) return { is: 'refused', why: `WeCom answered errcode ${String(said.errcode)}`, later: mayWork(said) };
  const named: readonly unknown[] = [said.invaliduser ?? '', said.unlicenseduser ?? ''];
  if (!named.every((one) => typeof one === 'string'))
    return { is: 'unknown', why: 'WeCom named refused users in a way that cannot be read' };
  const without = named.flatMap((one) => one.split('|')).filter((one) => one !== '');
  return { is: 'accepted', refused: [...new Set(without)] };
}

function refusedBefore(error: unknown): PartSent {
  const failure = notSent(error, 'no token');
  return { is: 'refused', why: failure.message, later: failure.later };
}

function lost(error: unknown): PartSent {
  if (!(error instanceof BailingError)) return { is: 'unknown', why: 'WeCom did not answer as it should' };
  const never = error.code === 'BAILING_OUTBOUND_NOT_CONNECTED' || error.code === 'BAILING_OUTBOUND_HOST_REFUSED';
  return never ? { is: 'refused', why: error.message, later: error.entry.retry !== 'never' } : { is: 'unknown', why: error.message };
}
