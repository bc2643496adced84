import type { ModelTool } from '@bailing/plugin-api';
import type { Problem } from '../fill/fill.js';
import type { Param } from '../fill/params.js';
import { profileOf } from '../steps/profile.js';
import type { Step } from '../steps/plan.js';
import { readOutcome } from '../turn/outcome.js';
import type { Done, Turn } from '../turn/turn.js';
import { hasHan } from '../words/tokens.js';
import { flatten } from './flatten.js';
import type { Words } from './words.js';
import { wordsIn } from './words.js';

/** Something to tell the user beside the results. */
export type Note =
  | { readonly is: 'no-tool'; readonly step: Step }
  | { readonly is: 'told-not-to'; readonly step: Step }
  | { readonly is: 'condition'; readonly step: Step; readonly title: string }
  | { readonly is: 'how-to'; readonly step: Step; readonly title: string }
  | { readonly is: 'which'; readonly step: Step; readonly titles: readonly string[] }
  | { readonly is: 'blocked'; readonly step: Step; readonly title: string }
  | { readonly is: 'stopped' }
  | { readonly is: 'nothing' }
  | {
      readonly is: 'ask';
      readonly step: Step;
      readonly title: string;
      readonly missing: readonly Param[];
      readonly problems: readonly Problem[];
      readonly choices: ReadonlyMap<Param, readonly unknown[]>;
      readonly several: boolean;
    };

const HELP =
  /^\W*(?:hi|hello|hey|help|what can you do|who are you|what are you)\b[^,;]{0,20}$|^(?:你好|您好|帮助|你能做什么|你会什么|你是谁|你可以做什么|能做什么)[^，；]{0,8}$/i;
const MAX_ANSWER = 6_000;

/** The answer in words: what came back, truthfully, then what was not done and why. Never empty, never more than the results say. */
export function answerText(turn: Turn, tools: readonly ModelTool[], notes: readonly Note[]): string {
  const words = wordsIn(hasHan(turn.input) ? 'zh' : 'en');
  if (turn.done.length === 0 && HELP.test(turn.input)) return `${words.whatIAm} ${words.canDo(titlesOf(tools))}`;
  const parts = [...turn.done.map((call) => resultText(call, tools, words)), ...notes.map((note) => noteText(note, words))];
  if (notes.some((note) => note.is === 'no-tool' || note.is === 'nothing') && turn.done.length === 0 && tools.length > 0)
    parts.push(words.canDo(titlesOf(tools)));
  if (parts.length === 0) parts.push(words.noTools);
  const text = parts.join('\n\n');
  return harmless(text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}…` : text).toWellFormed();
}

function titlesOf(tools: readonly ModelTool[]): string[] {
  return tools.slice(0, 8).map((tool) => profileOf(tool).title);
}

function resultText(call: Done, tools: readonly ModelTool[], words: Words): string {
  const tool = tools.find((one) => one.name === call.tool);
  const head = `${tool ? profileOf(tool).title : call.tool.replace(/[_-]+/g, ' ')}${argumentsText(call.args)}`;
  const { outcome, text, body } = readOutcome(call.result);
  switch (outcome) {
    case 'held':
      return `${head}: ${words.held(/\bapproval (\d{1,12})\b/.exec(text)?.[1])}`;
    case 'failed':
      return `${head}: ${words.failed(short(text))}`;
    case 'unknown':
      return `${head}: ${words.unknown}`;
    case 'missing':
      return `${head}: ${words.missingResult}`;
    case 'pending':
      return `${head}: ${words.pending}\n${lined(body)}`;
    case 'answered':
      return body === undefined
        ? `${head}: ${text.trim() === '' ? words.empty : `${words.answered}: ${short(text, 1_500)}`}`
        : listed(head, body, words);
  }
}

function lined(body: unknown): string {
  return flatten(body)
    .map((line) => (/^\d+\. /.test(line) ? line : `- ${line}`))
    .join('\n');
}

function listed(head: string, body: unknown, words: Words): string {
  const lines = lined(body);
  return lines === '' ? `${head}: ${words.empty}` : `${head}: ${words.answered}:\n${lines}`;
}

function argumentsText(args: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(args)
    .slice(0, 6)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value).slice(0, 60)}`);
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

function short(text: string, most = 400): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

function noteText(note: Note, words: Words): string {
  switch (note.is) {
    case 'no-tool':
      return words.noTool(short(note.step.text, 120));
    case 'told-not-to':
      return words.toldNotTo(short(note.step.text, 120));
    case 'condition':
      return words.condition(short(note.step.text, 120), note.title);
    case 'how-to':
      return words.howTo(note.title);
    case 'which':
      return words.which(short(note.step.text, 120), note.titles);
    case 'blocked':
      return words.blocked(note.title);
    case 'stopped':
      return words.stopped;
    case 'nothing':
      return words.nothingToDo;
    case 'ask':
      return questionText(note, words);
  }
}

function questionText(note: Extract<Note, { is: 'ask' }>, words: Words): string {
  const lines = note.missing.filter((param) => !note.choices.has(param)).map((param) => nameOf(param));
  for (const { param, why } of note.problems) lines.push(`${nameOf(param)} (${why})`);
  for (const [param, values] of note.choices) lines.push(words.choose(nameOf(param), values.map(String)));
  const asked = lines.length === 0 ? '' : `${words.ask(note.title)}\n${lines.map((line) => `- ${line}`).join('\n')}`;
  return [asked, note.several ? words.several(note.title) : ''].filter(Boolean).join('\n');
}

function nameOf(param: Param): string {
  const says = short(param.says, 100);
  const values = Array.isArray(param.node.enum) ? ` [${param.node.enum.slice(0, 12).map(String).join(', ')}]` : '';
  return (says === '' ? param.path.join('.').replaceAll('.[]', '') : `${says} (${param.name})`) + values;
}

/** Text of a business may hold what looks like a model's tool markup; it is shown, and does not pass for markup. */
function harmless(text: string): string {
  return text.replace(/<(?=\s*(?:[|｜]|\/?(?:tool_call|function|invoke)))/gi, '‹');
}
