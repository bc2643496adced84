import { TOOL_INLINE_MAX } from '@bailing/contract';
import type { OperationReport, ToolDraft } from '@bailing/plugin-api';
import { note, type Note } from '../notes.js';
import type { Unplaced } from '../report/place.js';
import { firstSentence, lintTool, type Placed } from './tool.js';

/** Roughly four characters make a token. */
const CHARS_PER_TOKEN = 4;
const TOOL_TOKENS = 2_000;
const SET_TOKENS = 12_000;

/** Adds a reviewer's remarks to a report: nothing is refused by them, and an imported operation becomes one imported with warnings. */
export function lintWarnings(report: Unplaced): Unplaced {
  const drafts = new Map(report.drafts.map((draft) => [draft.name, draft]));
  const placed = report.operations.flatMap((one): Placed[] => {
    const draft = one.tool === undefined ? undefined : drafts.get(one.tool);
    return draft ? [{ draft, pointer: one.pointer }] : [];
  });
  const notes = new Map(placed.map((one) => [one.pointer, lintTool(one)]));
  const add = (pointer: string, one: Note): void => void notes.get(pointer)?.push(one);
  noteSameSentences(placed, add);
  const document = [...report.document, ...noteSizes(placed, add)];
  const operations = report.operations.map((one) => withNotes(one, notes.get(one.pointer) ?? []));
  return { ...report, operations, document };
}

function withNotes(one: Unplaced['operations'][number], notes: readonly Note[]): Unplaced['operations'][number] {
  if (notes.length === 0) return one;
  const outcome: OperationReport['outcome'] = one.outcome === 'imported' ? 'imported_with_warnings' : one.outcome;
  return { ...one, outcome, diagnostics: [...one.diagnostics, ...notes] };
}

function noteSameSentences(placed: readonly Placed[], add: (pointer: string, one: Note) => void): void {
  const first = new Map<string, string>();
  for (const { draft, pointer } of placed) {
    const sentence = firstSentence(draft.says);
    const other = first.get(sentence);
    if (other === undefined) first.set(sentence, draft.name);
    else
      add(
        pointer,
        note(
          'warning',
          'same_first_sentence',
          pointer,
          `${other} begins with the same sentence, so a catalogue shows two tools that look alike.`,
          'Say what tells them apart.',
        ),
      );
  }
}

/** Tool sets that would flood a context: by the size of one tool, and of all together. */
function noteSizes(placed: readonly Placed[], add: (pointer: string, one: Note) => void): Note[] {
  let total = 0;
  for (const { draft, pointer } of placed) {
    const tokens = tokensOf(draft);
    total += tokens;
    if (tokens > TOOL_TOKENS)
      add(
        pointer,
        note(
          'warning',
          'tool_too_large',
          pointer,
          `The tool’s arguments take about ${tokens} tokens of a model’s context.`,
          'Describe the body with a smaller schema of its own.',
        ),
      );
    if (total > SET_TOKENS * 100) break;
  }
  if (placed.length <= TOOL_INLINE_MAX || total <= SET_TOKENS) return [];
  const says = `All ${placed.length} tools together take more than ${SET_TOKENS} tokens of a model’s context.`;
  return [
    note(
      'warning',
      'tool_set_too_large',
      '/paths',
      says,
      'Let each route allow only the scopes of its scenario; a route with many tools shows a catalogue first.',
    ),
  ];
}

function tokensOf(draft: ToolDraft): number {
  return Math.ceil((draft.name.length + draft.says.length + JSON.stringify(draft.input).length) / CHARS_PER_TOKEN);
}
