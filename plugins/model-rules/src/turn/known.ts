import type { Known } from '../fill/fill.js';
import { misfit } from '../fill/fits.js';
import type { Param } from '../fill/params.js';
import { findMentions } from '../mentions/find.js';
import { looseShape, samplesOf } from '../fill/values.js';
import { patternOf } from '../fill/schema.js';
import { terms } from '../words/tokens.js';
import type { Done } from './turn.js';
import { readOutcome } from './outcome.js';

const POINTING = /\b(it|its|that|this|them|those|these|the same)\b|它|其|该|这个|那个|这笔|那笔|这张|那张|上述|同一|刚才/i;
const MAX_LEAVES = 400;

export interface KnownFrom {
  readonly done: readonly Done[];
  /** The words of the step that needs a value. */
  readonly text: string;
  /** The words of the steps before it in the same request, latest first. */
  readonly beside: readonly string[];
  /** What the user said in earlier turns, latest first. */
  readonly earlier: readonly string[];
}

/**
 * Where a required value may come from when its own clause does not name it: the arguments of calls made just before, what they answered,
 * and, where the user points back with "it", what was said in earlier turns. Several different values are a question, not a choice.
 */
export function knownValue(param: Param, from: KnownFrom): Known {
  if (param.type === 'boolean' || param.role === 'reason' || param.role === 'note' || param.role === 'message') return undefined;
  const sent = ofArguments(param, from.done);
  if (sent) return sent;
  const answered = ofResults(param, from.done);
  if (answered) return answered;
  for (const said of POINTING.test(from.text) ? [...from.beside, ...from.earlier] : from.beside) {
    const found = ofText(param, said);
    if (found) return found;
  }
  return undefined;
}

function ofArguments(param: Param, done: readonly Done[]): Known {
  // Amounts and counts belong to the step that names them.
  if (param.type !== 'string') return undefined;
  const values = done.flatMap(({ args }) => (Object.hasOwn(args, param.name) ? [args[param.name]] : []));
  return oneOf(values, param);
}

function ofResults(param: Param, done: readonly Done[]): Known {
  for (const call of [...done].reverse()) {
    const { body, outcome } = readOutcome(call.result);
    if ((outcome !== 'answered' && outcome !== 'pending') || body === undefined) continue;
    const leaves = leavesOf(body, terms(call.tool));
    const same = leaves.filter((leaf) => plain(leaf.key) === plain(param.name));
    const alike = leaves.filter((leaf) => param.nameTerms.size > 0 && [...param.nameTerms].every((term) => leaf.terms.has(term)));
    const found = oneOf(
      (same.length > 0 ? same : param.role === 'identifier' ? alike : []).map((leaf) => leaf.value),
      param,
    );
    if (found) return found;
  }
  return undefined;
}

function oneOf(values: readonly unknown[], param: Param): Known {
  const fitting = values.flatMap((value) => {
    const typed = typeof value === 'number' && param.type === 'string' ? String(value) : value;
    return misfit(typed, param.node) === undefined ? [typed] : [];
  });
  const different = [...new Set(fitting)];
  if (different.length === 0) return undefined;
  return different.length === 1 ? { is: 'one', value: different[0] } : { is: 'several', values: different.slice(0, 10) };
}

/** Only what looks like this parameter: by its pattern, or by the shape of its samples. */
function ofText(param: Param, said: string): Known {
  const pattern = patternOf(param.node);
  const shapes = samplesOf(param).map(looseShape);
  if (param.type !== 'string' || (!pattern && shapes.length === 0)) return undefined;
  const ids = findMentions(said, undefined)
    .mentions.filter((mention) => mention.kind === 'id')
    .map((mention) => mention.text);
  return oneOf(
    ids.filter((id) => (pattern ? pattern.test(id) : shapes.includes(looseShape(id)))),
    param,
  );
}

interface Leaf {
  readonly key: string;
  readonly value: unknown;
  /** Words of the last two names of its path; of the tool, where the path has only one. */
  readonly terms: ReadonlySet<string>;
}

function leavesOf(body: unknown, ofTool: ReadonlySet<string>): Leaf[] {
  const out: Leaf[] = [];
  const visit = (value: unknown, path: readonly string[], depth: number): void => {
    if (out.length >= MAX_LEAVES || depth > 6) return;
    if (Array.isArray(value)) return value.slice(0, 50).forEach((one) => visit(one, path, depth + 1));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).forEach(([key, one]) => visit(one, [...path, key], depth + 1));
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const words = terms(path.slice(-2).join(' '));
    out.push({ key: path.at(-1) ?? '', value, terms: path.length < 2 ? new Set([...words, ...ofTool]) : words });
  };
  visit(body, [], 0);
  return out;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
