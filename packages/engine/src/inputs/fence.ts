import { unfenced as withoutMarks } from '../context/index.js';

const OURS = /<\/?attached-file\b[^<>]{0,200}>?/gi;

/** Untrusted text without the marks it could break out of its block with. A space stays where one was, so that no new one comes together. */
export function unfenced(text: string): string {
  return withoutMarks(text).replace(OURS, ' ');
}

/** At most `max` characters, never half of one. */
export function cutText(text: string, max: number): { readonly text: string; readonly cut: boolean } {
  return text.length <= max ? { text, cut: false } : { text: text.slice(0, max).toWellFormed(), cut: true };
}
