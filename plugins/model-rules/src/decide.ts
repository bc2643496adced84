import type { ModelRequest, ModelTool } from '@bailing/plugin-api';
import type { FillContext, Filled } from './fill/fill.js';
import { fill } from './fill/fill.js';
import type { Choice } from './steps/rank.js';
import type { Step } from './steps/plan.js';
import { bestOf, stepsOf } from './steps/plan.js';
import { knownValue } from './turn/known.js';
import { readOutcome } from './turn/outcome.js';
import type { Done, Turn } from './turn/turn.js';
import { readTurn } from './turn/turn.js';
import { canonical } from './turn/canonical.js';
import { businessTools, catalogueOf, fetchFirst, isBuiltIn } from './turn/catalogue.js';
import { answerText, type Note } from './say/answer.js';

/** What the planner does next. */
export type Decision =
  | { readonly is: 'call'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly is: 'text'; readonly text: string };

const MAX_CALLS = 24;

/**
 * Decides the next move from the request alone. The steps are planned anew each time and walked from the front: a call that has a result is
 * behind us, the first one that has none is made. So nothing is ever called twice, and nothing needs to be remembered.
 */
export function decide(request: ModelRequest): Decision {
  const turn = readTurn(request.messages);
  const business: Turn = { ...turn, done: turn.done.filter((call) => !isBuiltIn(call.tool)) };
  const tools = businessTools(request.tools);
  const say = (notes: readonly Note[]): Decision => ({ is: 'text', text: answerText(business, knownTools(request, tools), notes) });
  if (request.tools.length === 0) return say([]);
  const fetch = fetchFirst(request, turn);
  if (fetch) return { is: 'call', ...fetch };
  // A tool that was taken away after use changes what the input would be read as: nothing more is called then.
  const gone = business.done.some((call) => !tools.some((tool) => tool.name === call.tool));
  if (gone || business.done.length >= MAX_CALLS) return say([{ is: 'stopped' }]);
  const steps = stepsOf(turn.input, tools, turn.today);
  const { notes, call } = advance(steps, business);
  return call ? { is: 'call', ...call } : say(steps.length === 0 ? [{ is: 'nothing' }] : notes);
}

/** For titles: what is offered, and what the catalogue names. */
function knownTools(request: ModelRequest, tools: readonly ModelTool[]): readonly ModelTool[] {
  const offered = new Set(tools.map((tool) => tool.name));
  return [...tools, ...catalogueOf(request).filter((tool) => !offered.has(tool.name))];
}

/** Walks the steps from the front: answered calls are behind us; the first unanswered one is the next move. */
function advance(
  steps: readonly Step[],
  turn: Turn,
): { readonly notes: readonly Note[]; readonly call?: { readonly tool: string; readonly args: Filled['sets'][number] } } {
  const notes: Note[] = [];
  const walked: Done[] = [];
  for (const [index, step] of steps.entries()) {
    const beside = steps.slice(0, index).map(({ text }) => text);
    const move = moveOf(step, turn, walked, beside.reverse());
    if (move.is === 'note') {
      notes.push(move.note);
      if (move.note.is === 'ask') break;
      continue;
    }
    for (const args of move.sets) {
      const done = turn.done.find((call) => call.tool === move.tool && canonical(call.args) === canonical(args));
      if (!done) return { notes, call: { tool: move.tool, args } };
      walked.push(done);
    }
  }
  return { notes };
}

type Move = { readonly is: 'note'; readonly note: Note } | { readonly is: 'calls'; readonly tool: string; readonly sets: Filled['sets'] };

function moveOf(step: Step, turn: Turn, walked: readonly Done[], beside: readonly string[]): Move {
  const note = (made: Note): Move => ({ is: 'note', note: made });
  const best = bestOf(step);
  if (!best) return note({ is: 'no-tool', step });
  const { profile } = best;
  if (step.intent.negated && !profile.looks) return note({ is: 'told-not-to', step });
  if (step.conditional && !profile.looks) return note({ is: 'condition', step, title: profile.title });
  if (step.intent.asking && !profile.looks) return note({ is: 'how-to', step, title: profile.title });
  const rival = rivalOf(step, best);
  if (rival) return note({ is: 'which', step, titles: [profile.title, rival.profile.title] });
  const filled = fill(profile.tool, step.text, contextOf(step, turn, walked, beside));
  const blocked = blockedBy(profile.looks, filled, walked);
  if (blocked) return note({ is: 'blocked', step, title: profile.title });
  const question = questionOf(filled, profile.looks);
  if (question) return note({ is: 'ask', step, title: profile.title, ...question });
  return { is: 'calls', tool: profile.tool.name, sets: filled.sets };
}

function contextOf(step: Step, turn: Turn, walked: readonly Done[], beside: readonly string[]): FillContext {
  return {
    today: turn.today,
    spoken: new Set(step.intent.verbs.slice(0, 1)),
    known: (param) => knownValue(param, { done: walked, text: step.text, beside, earlier: turn.earlier }),
  };
}

/** Two different changes that fit equally well are a question. Looking the wrong thing up does no harm. */
function rivalOf(step: Step, best: Choice): Choice | undefined {
  const next = step.choices[1];
  if (!next || best.profile.looks || next.profile.looks) return undefined;
  return best.score - next.score < 0.03 ? next : undefined;
}

/** What is lacking or unclear, for a question back; undefined where the call can be made. */
function questionOf(
  filled: Filled,
  lookingOnly: boolean,
): Pick<Extract<Note, { is: 'ask' }>, 'missing' | 'problems' | 'choices' | 'several'> | undefined {
  const unclear = new Map([...filled.choices].filter(([param]) => filled.missing.includes(param) || !lookingOnly));
  const numbers = filled.params.some(
    (param) => (param.type === 'number' || param.type === 'integer') && hasValue(filled, param.path[0] ?? ''),
  );
  const several = filled.sets.length > 1 && !lookingOnly && numbers;
  if (filled.missing.length === 0 && filled.problems.length === 0 && unclear.size === 0 && !several) return undefined;
  return { missing: filled.missing, problems: filled.problems, choices: unclear, several };
}

function hasValue(filled: Filled, key: string): boolean {
  return filled.sets[0] !== undefined && Object.hasOwn(filled.sets[0], key);
}

/** A change does not follow on something that failed, was held or is unknown, if both are about the same thing. */
function blockedBy(lookingOnly: boolean, filled: Filled, walked: readonly Done[]): boolean {
  if (lookingOnly) return false;
  const bad = walked.filter((call) => !['answered', 'pending'].includes(readOutcome(call.result).outcome));
  if (bad.length === 0) return false;
  const wanted = new Set(filled.sets.flatMap((args) => Object.values(args)).filter((value) => typeof value === 'string'));
  return (
    filled.missing.length > 0 ||
    bad.some((call) => Object.values(call.args).some((value) => typeof value === 'string' && wanted.has(value)))
  );
}
