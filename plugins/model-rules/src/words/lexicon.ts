import type { Action } from './actions.js';
import { ACTIONS, LOOKING } from './actions.js';
import { singular, stem } from './stem.js';
import { THINGS } from './things.js';

/** A meaning shared by the words of several languages: `a:cancel` for verbs, `t:order` for nouns. */
export type Concept = string;

const english = new Map<string, Set<Concept>>();
const chinese = new Map<string, Set<Concept>>();

function learn(table: Readonly<Record<string, string>>, prefix: string): void {
  for (const [meaning, words] of Object.entries(table)) {
    const [latin = '', han = ''] = words.split('|');
    for (const word of latin.split(' ').filter(Boolean)) put(english, word, prefix + meaning);
    for (const word of latin.split(' ').filter(Boolean)) if (!english.has(stem(word))) put(english, stem(word), prefix + meaning);
    for (const word of han.split(' ').filter(Boolean)) put(chinese, word, prefix + meaning);
  }
}

function put(map: Map<string, Set<Concept>>, word: string, concept: Concept): void {
  map.set(word, (map.get(word) ?? new Set<Concept>()).add(concept));
}

learn(ACTIONS, 'a:');
learn(THINGS, 't:');
// One written word, two meanings.
put(english, 'book', 'a:reserve');
put(english, 'order', 'a:create');
put(english, 'stock', 'a:receive');
put(english, 'place', 'a:create');
put(english, 'title', 't:subject');
put(english, 'drop', 'a:cancel');
put(english, 'send', 'a:transfer');
put(chinese, '请假', 't:leave');

/** Chinese words that carry no meaning of their own here, but hide single characters that would. */
const EMPTY_HAN =
  '还有 还是 还要 还没 还没有 另外 然后 接着 并且 而且 以及 帮我 帮忙 麻烦 一下 一个 一条 请问 谢谢 我想 我要 需要 可以 能不能 可不可以 能否 这个 那个 该 它 他 她 我 你 您 请 帮 把 将 给 为 对 的 了 吗 呢 吧 啊 和 与 及 或 是 在 从 到 至 于 由 向 因为 由于 所以 如果 发现 发生 发现了 我的 你们 我们 现在 今天 明天 昨天 后天'.split(
    ' ',
  );
for (const word of EMPTY_HAN) if (!chinese.has(word)) chinese.set(word, new Set());
const LONGEST_HAN = Math.max(...[...chinese.keys()].map((word) => word.length));

/** English words without weight in a comparison. */
const EMPTY_LATIN = new Set(
  'a an the this that these those of for in on at by to from with and or as be been i me my we our you your it its please can could would will shall may might do did done have has had not if so than then also just any some there here which into onto via per about up out over under again api v1 v2 rest json http use used using when one call tool'.split(
    ' ',
  ),
);

/** The meanings of one English word, raw form first. Empty where it has none. */
export function latinConcepts(word: string): ReadonlySet<Concept> {
  return english.get(word) ?? english.get(singular(word)) ?? english.get(stem(word)) ?? NONE;
}
const NONE: ReadonlySet<Concept> = new Set();

export function isEmptyLatin(word: string): boolean {
  return EMPTY_LATIN.has(word);
}

/** One stretch of a run of Chinese characters: a known word with its meanings, or unknown characters. */
export interface HanPart {
  readonly text: string;
  readonly at: number;
  readonly known: boolean;
  readonly concepts: ReadonlySet<Concept>;
}

/** Longest match first, from the left. */
export function hanParts(run: string): HanPart[] {
  const parts: HanPart[] = [];
  let unknown = 0;
  const flush = (end: number): void => {
    if (end > unknown) parts.push({ text: run.slice(unknown, end), at: unknown, known: false, concepts: NONE });
  };
  for (let at = 0; at < run.length;) {
    const word = longestAt(run, at);
    if (word === undefined) {
      at++;
      continue;
    }
    flush(at);
    parts.push({ text: word, at, known: true, concepts: chinese.get(word) ?? NONE });
    at += word.length;
    unknown = at;
  }
  flush(run.length);
  return parts;
}

function longestAt(run: string, at: number): string | undefined {
  for (let length = Math.min(LONGEST_HAN, run.length - at); length > 0; length--) {
    const word = run.slice(at, at + length);
    if (chinese.has(word)) return word;
  }
  return undefined;
}

export function isAction(concept: Concept): boolean {
  return concept.startsWith('a:');
}

/** Whether a verb only looks and changes nothing. */
export function looks(concept: Concept): boolean {
  return LOOKING.has(concept.slice(2));
}

export function action(name: Action): Concept {
  return `a:${name}`;
}
