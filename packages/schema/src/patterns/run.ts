import type { Step } from './program.js';
import type { Edge } from './syntax.js';

/** Steps left for one validation. Reaching zero makes every further pattern of that validation fail. */
export interface Meter {
  left: number;
}

interface Text {
  readonly points: readonly number[];
  readonly meter: Meter;
  readonly looks: Map<Step, Uint8Array>;
}

/** Whether the program matches anywhere in the text. Work is at most program size × text length. */
export function matchesAnywhere(program: readonly Step[], text: string, meter: Meter): boolean {
  const points = Array.from(text, (char) => char.codePointAt(0) as number);
  return walk(program, { points, meter, looks: new Map() }, 1, true).includes(1);
}

/** Walks the text in one direction with all threads at once and marks the places at which a match ends. */
function walk(program: readonly Step[], text: Text, direction: 1 | -1, first: boolean): Uint8Array {
  const length = text.points.length;
  const ends = new Uint8Array(length + 1);
  const seen = new Int32Array(program.length);
  let threads: number[] = [];
  for (let walked = 0; walked <= length; walked++) {
    const place = direction === 1 ? walked : length - walked;
    const waiting: number[] = [];
    threads.push(0);
    for (const thread of threads) if (follow(program, text, thread, place, seen, walked + 1, waiting)) ends[place] = 1;
    if ((first && ends[place] === 1) || walked === length || text.meter.left <= 0) break;
    const point = text.points[direction === 1 ? place : place - 1] as number;
    threads = [];
    for (const at of waiting) {
      const step = program[at] as Extract<Step, { is: 'one' }>;
      if (step.matches(point)) threads.push(at + 1);
    }
  }
  return text.meter.left <= 0 ? new Uint8Array(length + 1) : ends;
}

/** Follows everything that reads no character; answers whether the end of the program was reached. */
function follow(
  program: readonly Step[],
  text: Text,
  from: number,
  place: number,
  seen: Int32Array,
  round: number,
  waiting: number[],
): boolean {
  let matched = false;
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen[at] === round || --text.meter.left <= 0) continue;
    seen[at] = round;
    const step = program[at] as Step;
    if (step.is === 'match') matched = true;
    else if (step.is === 'one') waiting.push(at);
    else if (step.is === 'jump') open.push(step.to);
    else if (step.is === 'split') open.push(step.b, step.a);
    else if (step.is === 'edge' ? onEdge(step.at, text.points, place) : looks(step, text, place)) open.push(at + 1);
  }
  return matched;
}

function looks(step: Extract<Step, { is: 'look' }>, text: Text, place: number): boolean {
  let ends = text.looks.get(step);
  if (!ends) {
    ends = walk(step.program, text, step.ahead ? -1 : 1, false);
    text.looks.set(step, ends);
  }
  return (ends[place] === 1) !== step.not;
}

function onEdge(edge: Edge, points: readonly number[], place: number): boolean {
  if (edge === 'start') return place === 0;
  if (edge === 'end') return place === points.length;
  return (isWord(points[place - 1]) !== isWord(points[place])) === (edge === 'word');
}

function isWord(point: number | undefined): boolean {
  if (point === undefined) return false;
  return point === 95 || (point >= 48 && point <= 57) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122);
}
