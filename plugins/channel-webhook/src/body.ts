import type { ChannelContext, ChannelFile, ChannelMessage } from '@bailing/plugin-api';
import { inSteps } from './steps.js';

/** The body of a message webhook, as JSON. `message_id` is the idempotency key: whoever receives it twice has received it once. */
export async function bodyOf(channel: string, message: ChannelMessage, context: ChannelContext): Promise<Uint8Array> {
  const { recipients, text, card, images, files } = message;
  const first = {
    kind: 'message',
    message_id: context.key,
    job_id: context.job,
    channel,
    to: recipients,
    text,
    ...(card && { card }),
  };
  const pieces = [Buffer.from(`${JSON.stringify(first).slice(0, -1)},"images":[`)];
  await append(pieces, images);
  pieces.push(Buffer.from('],"files":['));
  await append(pieces, files);
  pieces.push(Buffer.from(`],"sent_at":${JSON.stringify(new Date(context.at).toISOString())}}`));
  return Buffer.concat(pieces);
}

/** Files may be large, and a hub does other things as well: their bytes are written in steps. */
async function append(pieces: Buffer[], files: readonly ChannelFile[]): Promise<void> {
  for (const [index, { name, contentType, bytes }] of files.entries()) {
    const facts = JSON.stringify({ name, content_type: contentType, bytes: bytes.byteLength });
    pieces.push(Buffer.from(`${index > 0 ? ',' : ''}${facts.slice(0, -1)},"base64":"`));
    for await (const part of inSteps(bytes))
      pieces.push(Buffer.from(Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64'), 'latin1'));
    pieces.push(Buffer.from('"}'));
  }
}
