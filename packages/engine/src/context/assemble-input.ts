import type { ContextBlock } from '@bailing/plugin-api';
import { fenced, FENCES, unfenced } from './fences.js';

/** What is put before a user's words. */
export interface Background {
  /** In order; each becomes a block of its own. */
  readonly blocks: readonly ContextBlock[];
  /** The conversation so far, or null. Cleaned by whoever made it. */
  readonly memory: string | null;
}

export const NO_BACKGROUND: Background = Object.freeze({ blocks: Object.freeze([]), memory: null });

const LABEL_CHARS = 200;

/**
 * The input as a brain gets it (WIRE §11.2): knowledge, then the conversation so far, then the request, each in its fence. Without background it is
 * the user's text alone. Whatever came from outside has lost its own fence markers.
 */
export function assembleInput(text: string, { blocks, memory }: Background): string {
  const own = unfenced(text);
  if (blocks.length === 0 && memory === null) return own;
  const knowledge = blocks.map((block) => fenced(FENCES.knowledge, withLabel(block)));
  const before = memory === null ? [] : [fenced(FENCES.memory, memory)];
  return [...knowledge, ...before, fenced(FENCES.task, own)].join('\n\n');
}

function withLabel({ label, text }: ContextBlock): string {
  const title = unfenced(label).replaceAll(/\s+/g, ' ').trim().slice(0, LABEL_CHARS).toWellFormed();
  return title === '' ? unfenced(text) : `[${title}]\n${unfenced(text)}`;
}
