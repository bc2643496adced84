import type { ModelMessage } from '@bailing/plugin-api';
import type { View } from '../catalog/index.js';
import { assembleInput, NO_BACKGROUND } from '../context/index.js';
import type { Exposure } from './exposure.js';
import type { LoopInput } from './loop-words.js';
import { thaw, type LoopState } from './memory.js';
import { systemPrompt } from './prompt.js';

/** What another process saved, unless approvals have been decided since: then the prompt has something new to say. */
export function begunOf({ saved, approvedNote }: Pick<LoopInput, 'saved' | 'approvedNote'>): LoopState | null {
  const state = thaw(saved ?? null);
  return state?.approvedNote === (approvedNote ?? null) ? state : null;
}

/** Whether the loop goes on where it stood, so that nothing has to be made ready for its beginning. */
export function resumes(input: Pick<LoopInput, 'saved' | 'approvedNote'>): boolean {
  return begunOf(input) !== null;
}

export function opening(input: LoopInput, exposure: Exposure): ModelMessage[] {
  const system = systemPrompt({
    route: input.route,
    input: input.text,
    tools: input.view.tools.size,
    maxCalls: input.maxCalls,
    catalogue: exposure.catalogue(),
    locked: allLocked(input.view),
    background: hasBackground(input),
    nowText: input.nowText,
    approvedNote: input.approvedNote ?? null,
    duties: input.attached?.duties ?? [],
  });
  const { blocks = '', parts = [] } = input.attached ?? {};
  const request = assembleInput(input.text, input.background ?? NO_BACKGROUND);
  const message = blocks === '' ? request : `${request}\n\n${blocks}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content: message, ...(parts.length > 0 && { parts }) },
  ];
}

function hasBackground({ background }: LoopInput): boolean {
  return background !== undefined && (background.blocks.length > 0 || background.memory !== null);
}

function allLocked(view: View): boolean {
  return view.tools.size === 0 && view.locked.length > 0;
}
