import type { ModelTool } from '@bailing/plugin-api';
import type { FillContext } from '../fill/fill.js';
import { proseIn, withoutProse } from '../fill/prose.js';
import type { Intent } from './intent.js';
import { intentOf } from './intent.js';
import type { Shelf } from './profile.js';
import { shelfOf } from './profile.js';
import type { Choice } from './rank.js';
import { LEAST, rank } from './rank.js';
import type { Piece } from './split.js';
import { split } from './split.js';

/** One thing the input asks for, and what could do it. */
export interface Step {
  readonly text: string;
  readonly intent: Intent;
  readonly conditional: boolean;
  /** Best first; the first is the one to take where it reaches LEAST. */
  readonly choices: readonly Choice[];
}

const MAX_STEPS = 12;

/** What the input asks for, step by step. Pure and deterministic: the same input and tools give the same steps. */
export function stepsOf(input: string, tools: readonly ModelTool[], today: string | undefined): Step[] {
  const shelf = shelfOf(tools);
  const steps: Step[] = [];
  for (const piece of split(input).slice(0, 3 * MAX_STEPS)) {
    const step = stepOf(piece.text, piece.conditional, shelf, today);
    const last = steps.at(-1);
    const joined = last && !piece.conditional && !last.conditional ? belongsTo(last, step, piece, shelf, today) : undefined;
    if (joined) steps[steps.length - 1] = joined;
    else steps.push(step);
  }
  return withoutPleasantries(steps).slice(0, MAX_STEPS);
}

export function bestOf(step: Step): Choice | undefined {
  const best = step.choices[0];
  return best && best.score >= LEAST ? best : undefined;
}

function stepOf(text: string, conditional: boolean, shelf: Shelf, today: string | undefined): Step {
  // Reasons are prose: their words say nothing about which tool is meant.
  const intent = intentOf(withoutProse(text, proseIn(text)));
  const context: FillContext = { today, spoken: new Set(intent.verbs), known: () => undefined };
  return { text, intent, conditional, choices: rank(shelf, text, intent, context) };
}

/** A piece without a tool of its own, or one that completes the piece before, is part of that. */
function belongsTo(last: Step, step: Step, piece: Piece, shelf: Shelf, today: string | undefined): Step | undefined {
  const before = bestOf(last);
  const own = bestOf(step);
  if (!before) return own ? undefined : stepOf(`${last.text}, ${step.text}`, false, shelf, today);
  if (own && own.filled.missing.length === 0 && step.intent.verb !== undefined) return undefined;
  const joined = stepOf(`${last.text}, ${step.text}`, false, shelf, today);
  const best = bestOf(joined);
  const sameTool = best?.profile.tool.name === before.profile.tool.name;
  const gained = best !== undefined && sameTool && best.filled.own > before.filled.own;
  if (!own) return sameTool && (gained || piece.weak || step.intent.verb === undefined) ? joined : undefined;
  return gained && (piece.weak || own.profile === before.profile) && best.filled.unused.length <= before.filled.unused.length
    ? joined
    : undefined;
}

/** "Hello", "thanks": pieces that ask for nothing, beside ones that do. */
function withoutPleasantries(steps: readonly Step[]): Step[] {
  const asking = steps.filter((step) => bestOf(step) !== undefined || step.intent.verb !== undefined || step.conditional);
  return asking.length > 0 ? asking : steps.slice(0, 1);
}
