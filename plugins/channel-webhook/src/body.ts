import type { ChannelContext, ChannelFile, ChannelMessage } from '@bailing/plugin-api';

/** The body of a message webhook. `message_id` is the idempotency key: whoever receives it twice has received it once. */
export function bodyOf(channel: string, message: ChannelMessage, context: ChannelContext): string {
  const { recipients, text, card, images, files } = message;
  return JSON.stringify({
    kind: 'message',
    message_id: context.key,
    job_id: context.job,
    channel,
    to: recipients,
    text,
    ...(card && { card }),
    images: images.map(fileOf),
    files: files.map(fileOf),
    sent_at: new Date(context.at).toISOString(),
  });
}

function fileOf({ name, contentType, bytes }: ChannelFile): object {
  return { name, content_type: contentType, bytes: bytes.byteLength, base64: Buffer.from(bytes).toString('base64') };
}
