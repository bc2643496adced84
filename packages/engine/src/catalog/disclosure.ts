import MiniSearch from 'minisearch';
import type { View } from './visible.js';

const MAX_QUERY = 400;

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly scope: string;
}

interface Index {
  readonly names: readonly string[];
  readonly search: MiniSearch<Entry>;
}

/** One index a view, made when somebody first searches, gone with the view. */
const indexes = new WeakMap<View, Index>();

/**
 * Tools of a view that words describe, best first and by position among equals, so that the same words always give the same answer. Names count
 * more than descriptions; Chinese is matched by pairs of characters, other words by their beginnings and with small misspellings.
 */
export function searchTools(view: View, words: string, limit: number): readonly string[] {
  const { names, search } = indexOf(view);
  const found = search.search(words.slice(0, MAX_QUERY), {
    boost: { name: 3, scope: 1.5 },
    prefix: (term) => term.length > 2 && !CJK.test(term),
    fuzzy: (term) => (term.length > 4 && !CJK.test(term) ? 0.2 : false),
  });
  return found
    .map(({ id, score }) => ({ id: Number(id), score }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ id }) => names[id] ?? '');
}

function indexOf(view: View): Index {
  const known = indexes.get(view);
  if (known) return known;
  const search = new MiniSearch<Entry>({ fields: ['name', 'text', 'scope'], tokenize, processTerm: (term) => term });
  const names = [...view.tools.keys()];
  search.addAll(
    [...view.tools.values()].map(({ tool: { definition } }, id) => ({
      id,
      name: definition.name,
      text: definition.description,
      scope: definition.scope,
    })),
  );
  const made = { names, search };
  indexes.set(view, made);
  return made;
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;

/** `refundOrders_v2` gives refund, orders, v2; 查询门店 gives 查询, 询门, 门店. Scripts that are written together are told apart. */
export function tokenize(text: string): string[] {
  const spaced = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(RUNS, (run) => ` ${run} `);
  const apart = spaced.replace(new RegExp(`(${CJK.source}+)`, 'gu'), ' $1 ');
  return (apart.match(RUNS) ?? []).flatMap((run) => (CJK.test(run) ? pairs(run) : [run.toLowerCase()]));
}

function pairs(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}
