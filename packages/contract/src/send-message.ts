import { sha256Hex } from './canonical.js';

/** A file of a message as its hash sees it: its content, or where it is fetched from. */
export type HashedFile = { readonly name: string; readonly content: string } | { readonly name: string; readonly url: string };

export interface HashedMessage {
  readonly channel: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly files: readonly HashedFile[];
  /** Additions of `POST /send`; absent or empty they leave no trace in the hash. */
  readonly images?: readonly string[];
  readonly card?: { readonly title: string; readonly url: string; readonly description?: string; readonly btntxt?: string };
}

/** WIRE §7.3: fixed member order, recipients sorted by code unit, text trimmed, compact. The hash is SHA-256 over this text. */
export function sendMaterial({ channel, to, text, files, images = [], card }: HashedMessage): string {
  return JSON.stringify({
    c: channel,
    to: [...to].sort(),
    text: text.trim(),
    files: files.map((file) => ('content' in file ? { n: file.name, h: sha256Hex(file.content) } : { n: file.name, u: file.url })),
    ...(images.length > 0 && { images }),
    ...(card && { card: { title: card.title, url: card.url, description: card.description, btntxt: card.btntxt } }),
  });
}

export function sendHash(message: HashedMessage): string {
  return sha256Hex(sendMaterial(message));
}
