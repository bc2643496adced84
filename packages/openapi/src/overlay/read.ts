import type { Diagnostic } from '@bailing/plugin-api';
import { Notes, note, quote, type Note } from '../notes.js';
import { at } from '../pointer.js';
import { measure } from '../text/measure.js';
import { parseText, type ParsedText } from '../text/parse.js';
import { isMembers, own, type Members } from '../values.js';

export interface OverlayAction {
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly kind: 'update' | 'remove';
  readonly update?: unknown;
  /** Of the action in the overlay. */
  readonly pointer: string;
}

export interface Overlay {
  readonly actions: readonly OverlayAction[];
  readonly notes: readonly Note[];
  readonly text: ParsedText;
}

export type OverlayReading =
  { readonly ok: true; readonly overlay: Overlay } | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const MAX_ACTIONS = 2_000;
const LIMITS = { nodes: 500_000, depth: 200 };

/** Reads an OpenAPI Overlay 1.0 document (JSON or YAML). Never throws; an action that cannot be understood is left out and noted. */
export function readOverlay(source: string): OverlayReading {
  const parsed = parseText(source);
  if (!parsed.ok) {
    const { message, line, column } = parsed;
    return {
      ok: false,
      diagnostics: [
        {
          severity: 'error',
          code: 'overlay_invalid',
          pointer: '',
          ...(line !== undefined && { line }),
          ...(column !== undefined && { column }),
          message,
          suggestion: 'Write one JSON or YAML 1.2 document.',
        },
      ],
    };
  }
  const root = parsed.text.value;
  const wrong = whyNotOverlay(root);
  if (wrong) return { ok: false, diagnostics: [{ ...wrong, ...parsed.text.locate([wrong.pointer])(wrong.pointer) }] };
  const notes = new Notes();
  const raw = own(root as Members, 'actions') as readonly unknown[];
  const actions = raw.flatMap((one, i) => readAction(one, at('/actions', i), notes) ?? []);
  return { ok: true, overlay: { actions, notes: notes.list, text: parsed.text } };
}

function whyNotOverlay(root: unknown): Note | undefined {
  const wrong = (pointer: string, says: string, fix: string): Note => note('error', 'overlay_invalid', pointer, says, fix);
  if (!measure(root, LIMITS).ok) return wrong('', 'The overlay is too large or too deep.', 'Split the overlay.');
  if (!isMembers(root)) return wrong('', 'The overlay is not an object.', 'Begin with the line `overlay: 1.0.0`.');
  const version = own(root, 'overlay');
  const text = typeof version === 'number' && Number.isInteger(version) ? `${version}.0` : String(version);
  if (!/^1\.0(?:\.|$)/.test(text))
    return wrong(
      version === undefined ? '' : '/overlay',
      `The overlay version ${quote(text)} is not read; 1.0 is.`,
      'Write `overlay: 1.0.0`.',
    );
  const actions = own(root, 'actions');
  if (!Array.isArray(actions) || actions.length === 0)
    return wrong(
      actions === undefined ? '' : '/actions',
      'The overlay has no list of actions.',
      'Write `actions:` with at least one { target, update }.',
    );
  return actions.length > MAX_ACTIONS
    ? wrong('/actions', `The overlay has more than ${MAX_ACTIONS} actions.`, 'Use filters to reach several places with one action.')
    : undefined;
}

function readAction(raw: unknown, pointer: string, notes: Notes): OverlayAction | undefined {
  const target = isMembers(raw) ? own(raw, 'target') : undefined;
  if (!isMembers(raw) || typeof target !== 'string')
    return void notes.error(
      'overlay_action_invalid',
      pointer,
      'The action has no target.',
      'Write a JSONPath, such as $.paths["/orders"].get.',
    );
  const remove = own(raw, 'remove');
  const update = own(raw, 'update');
  if (remove !== undefined && typeof remove !== 'boolean')
    return void notes.error(
      'overlay_action_invalid',
      at(pointer, 'remove'),
      'remove is not a boolean.',
      'Write `remove: true` without quotes.',
    );
  if (remove === true) return { target, kind: 'remove', pointer };
  if (update === undefined)
    return void notes.error(
      'overlay_action_invalid',
      pointer,
      'The action neither updates nor removes anything.',
      'Write update, or `remove: true`.',
    );
  return { target, kind: 'update', update, pointer };
}
