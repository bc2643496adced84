import type { ModelTool } from '@bailing/plugin-api';
import type { FillContext } from '../fill/fill.js';
import { proseIn, withoutProse } from '../fill/prose.js';
import { looks } from '../words/lexicon.js';
import type { Intent } from './intent.js';
import { intentOf } from './intent.js';
import type { Shelf } from './profile.js';
import { shelfOf } from './profile.js';
import type { Choice } from './rank.js';
import { LEAST, rank } from './rank.js';
import type { Piece } from './split.js';
import { split } from './split.js';
import { knownValue } from '../turn/known.js';
import type { Done } from '../turn/turn.js';

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
  for (const piece of withReasons(split(input)).slice(0, 3 * MAX_STEPS)) {
    const step = stepOf(piece.text, piece.conditional, shelf, today, foreseen(steps));
    const last = steps.at(-1);
    const joined =
      last && !piece.conditional && !last.conditional
        ? belongsTo(last, step, piece, (text) => stepOf(text, false, shelf, today, foreseen(steps.slice(0, -1))))
        : undefined;
    if (joined) steps[steps.length - 1] = joined;
    else steps.push(step);
  }
  return withoutPleasantries(steps).slice(0, MAX_STEPS);
}

/** What the steps so far will have sent, so that a later one may count on it. */
function foreseen(steps: readonly Step[]): Before {
  const done = steps.flatMap((step) => {
    const best = bestOf(step);
    return best ? [{ tool: best.profile.tool.name, args: best.filled.sets[0] ?? {}, result: undefined }] : [];
  });
  return { done, texts: steps.map((step) => step.text).reverse() };
}

interface Before {
  readonly done: readonly Done[];
  readonly texts: readonly string[];
}

/** A piece that is nothing but a reason belongs to what it is the reason for: the piece behind it, else the one before. */
function withReasons(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  let reason = '';
  for (const piece of pieces) {
    if (withoutProse(piece.text, proseIn(piece.text)).trim() === '') reason += `${piece.text}, `;
    else {
      out.push({ ...piece, text: reason + piece.text });
      reason = '';
    }
  }
  const last = out.at(-1);
  if (reason === '') return out;
  return last
    ? [...out.slice(0, -1), { ...last, text: `${last.text}, ${reason.slice(0, -2)}` }]
    : [{ text: reason, weak: false, conditional: false }];
}

export function bestOf(step: Step): Choice | undefined {
  const best = step.choices[0];
  return best && best.score >= LEAST ? best : undefined;
}

function stepOf(text: string, conditional: boolean, shelf: Shelf, today: string | undefined, before: Before): Step {
  // Reasons are prose: their words say nothing about which tool is meant.
  const intent = intentOf(withoutProse(text, proseIn(text)), shelf.verbs);
  const context: FillContext = {
    today,
    spoken: new Set(intent.verbs.slice(0, 1)),
    known: (param) => knownValue(param, { done: before.done, text, beside: before.texts, earlier: [] }),
  };
  return { text, intent, conditional, choices: rank(shelf, text, intent, context) };
}

/** A piece without a tool of its own, or one that completes the piece before, is part of that. */
function belongsTo(last: Step, step: Step, piece: Piece, read: (text: string) => Step): Step | undefined {
  const before = bestOf(last);
  const own = bestOf(step);
  if (isStatement(last) && step.intent.verb !== undefined) {
    const told = read(`${last.text}, ${step.text}`);
    const best = bestOf(told);
    if (best && !best.profile.looks && best.filled.missing.length === 0 && best.filled.ownRequired > (own?.filled.ownRequired ?? 0))
      return told;
  }
  if (!before) return own ? undefined : read(`${last.text}, ${step.text}`);
  const again = own?.profile === before.profile;
  // A second round of the same tool names what it is about; otherwise it adds to the first.
  const complete = own !== undefined && own.filled.missing.length === 0 && step.intent.verb !== undefined;
  if (complete && !(again && (own.filled.ownRequired === 0 || before.filled.missing.length > 0))) return undefined;
  const joined = read(`${last.text}, ${step.text}`);
  const best = bestOf(joined);
  const sameTool = best?.profile === before.profile;
  const gained = best !== undefined && sameTool && best.filled.own > before.filled.own;
  if (!own) return sameTool && (gained || piece.weak || step.intent.verb === undefined) ? joined : undefined;
  return gained && (piece.weak || again) && best.filled.unused.length <= before.filled.unused.length ? joined : undefined;
}

/** Tells how things are without asking for anything: "E-1024 is ill". */
function isStatement(step: Step): boolean {
  const best = bestOf(step);
  return (best === undefined || best.profile.looks) && !step.intent.verbs.some(looks) && !/[?？吗]\s*$/.test(step.text);
}

/** "Hello", "thanks": pieces that ask for nothing, beside ones that do. */
function withoutPleasantries(steps: readonly Step[]): Step[] {
  const asking = steps.filter((step) => bestOf(step) !== undefined || step.intent.verb !== undefined || step.conditional);
  return asking.length > 0 ? asking : steps.slice(0, 1);
}
