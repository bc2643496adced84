import type { ModelMessage } from '@bailing/plugin-api';
import { ModelFailure } from '@bailing/plugin-api';

/** An endpoint that refuses a request with images may take it without them (WIRE §11.6). */
export function refusedImages(error: unknown, messages: readonly ModelMessage[]): boolean {
  if (!(error instanceof ModelFailure) || error.status === undefined) return false;
  const refused = error.status >= 400 && error.status < 500 && error.status !== 429;
  return refused && messages.some((message) => message.role === 'user' && message.parts?.some(({ is }) => is === 'image'));
}

/** The messages without images; where they were, a sentence says so. */
export function withoutImages(messages: readonly ModelMessage[], notice: string): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'user' || !message.parts?.some(({ is }) => is === 'image')) return message;
    const { parts, ...rest } = message;
    const kept = parts.filter(({ is }) => is !== 'image');
    return { ...rest, content: `${message.content}\n\n${notice}`, ...(kept.length > 0 && { parts: kept }) };
  });
}
