import type { Diagnostic } from '@bailing/plugin-api';
import { note, quote, type Note } from '../notes.js';
import { measure } from '../text/measure.js';
import { parseText } from '../text/parse.js';
import { isMembers, own } from '../values.js';
import { applyAction, clone, type ActionOutcome } from './apply.js';
import { readOverlay, type OverlayAction } from './read.js';

/** What an overlay did: every action with its matches, and what there is to say, with lines of the overlay's own text. */
export interface OverlayOutcome {
  readonly actions: readonly ActionOutcome[];
  readonly diagnostics: readonly Diagnostic[];
}

export type Overlaid =
  | { readonly ok: true; readonly text: string; readonly outcome: OverlayOutcome }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const LIMITS = { nodes: 5_000_000, depth: 200 };

/**
 * Applies an OpenAPI Overlay 1.0 to a document. Pure and never throws. An action that matches nothing is a warning, and where it would have
 * switched a capability on, the warning says that it stays off. The resulting text is JSON; to keep the lines of the document, give the overlay
 * to `compileDocument` instead.
 */
export function applyOverlay(documentText: string, overlayText: string): Overlaid {
  const parsed = parseText(documentText);
  const unreadable = (message: string): Overlaid => ({
    ok: false,
    diagnostics: [{ severity: 'error', code: 'invalid_spec', pointer: '', message }],
  });
  if (!parsed.ok) return unreadable(parsed.message);
  if (!measure(parsed.text.value, LIMITS).ok || !isMembers(parsed.text.value))
    return unreadable('The document is not an object of a sensible size.');
  const root = clone(parsed.text.value) as Record<string, unknown>;
  const outcome = overlayValue(root, overlayText);
  if (!outcome.applied) return { ok: false, diagnostics: outcome.diagnostics };
  return { ok: true, text: JSON.stringify(root, null, 2), outcome };
}

/** Applies an overlay to a document that is the caller's own to change. `applied` is false where the overlay itself cannot be read. */
export function overlayValue(root: Record<string, unknown>, overlayText: string): OverlayOutcome & { readonly applied: boolean } {
  const reading = readOverlay(overlayText);
  if (!reading.ok) return { applied: false, actions: [], diagnostics: reading.diagnostics };
  const { actions, notes, text } = reading.overlay;
  const said: Note[] = [...notes];
  const outcomes = actions.map((action) => {
    const outcome = applyAction(root, action);
    said.push(...remarks(action, outcome));
    return outcome;
  });
  const find = text.locate(said.map((one) => one.pointer));
  return { applied: true, actions: outcomes, diagnostics: said.map((one) => ({ ...one, ...find(one.pointer) })) };
}

function remarks(action: OverlayAction, outcome: ActionOutcome): Note[] {
  const { problem } = outcome;
  const place = `${action.pointer}/target`;
  if (problem)
    return [
      note('error', problem.code, place, problem.says, 'Write a JSONPath that selects objects or arrays, such as $.paths["/orders"].get.'),
    ];
  if (outcome.matches > 0) return [];
  const off = switchesOn(action.update) ? ', so the capability it would switch on stays off' : '';
  return [
    note(
      'warning',
      'overlay_no_match',
      place,
      `The target ${quote(action.target)} matches nothing${off}.`,
      'Compare the target with the document.',
    ),
  ];
}

function switchesOn(update: unknown): boolean {
  if (!isMembers(update)) return false;
  const capability = own(update, 'x-agent-capability') ?? update;
  return isMembers(capability) && own(capability, 'enabled') === true;
}
