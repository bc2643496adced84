import type { ModelTool } from '@bailing/plugin-api';
import { action, isAction, looks } from '../words/lexicon.js';
import { terms, tokens } from '../words/tokens.js';
import { paramsOf } from '../fill/params.js';
import { stringsOf, textOf } from '../fill/schema.js';

/** A tool as the ranking sees it. */
export interface Profile {
  readonly tool: ModelTool;
  /** Comparable word → how much it says about this tool. */
  readonly weights: ReadonlyMap<string, number>;
  readonly nameTerms: ReadonlySet<string>;
  /** The verb the tool stands for; undefined where neither name nor summary has one. */
  readonly verb: string | undefined;
  readonly verbs: ReadonlySet<string>;
  /** Only looks, as far as its words tell. Anything else is treated as changing something. */
  readonly looks: boolean;
  /** How far the tool goes: it acts at once, or the hub notes that it always needs approval. Such a tool wants to be named. */
  readonly reach: number;
  /** One readable line. */
  readonly title: string;
}

/** Everything the ranking needs to know about a set of tools; made once per set. */
export interface Shelf {
  readonly profiles: readonly Profile[];
  /** How rare a word is among the tools: 1 for everywhere, more for fewer. */
  readonly rarity: (term: string) => number;
  /** Words that are verbs here though the lexicon does not know them. */
  readonly verbs: ReadonlySet<string>;
}

const shelves = new WeakMap<readonly ModelTool[], Shelf>();

export function shelfOf(tools: readonly ModelTool[]): Shelf {
  const known = shelves.get(tools);
  if (known) return known;
  const profiles = tools.map(profileOf);
  const counts = new Map<string, number>();
  for (const { weights } of profiles) for (const term of weights.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const rarity = (term: string): number => 1 + Math.log((profiles.length + 1) / ((counts.get(term) ?? 0) + 1));
  const verbs = new Set(profiles.flatMap(({ verb }) => (verb?.startsWith('w:') === true ? [verb] : [])));
  const shelf = { profiles, rarity, verbs };
  shelves.set(tools, shelf);
  return shelf;
}

export function profileOf(tool: ModelTool): Profile {
  const { summary, rest, notes } = partsOf(tool.description);
  const weights = new Map<string, number>();
  const add = (found: Iterable<string>, weight: number): void => {
    for (const term of found) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  const nameTerms = terms(tool.name);
  add(nameTerms, 3);
  add(terms(summary), 2.5);
  add(terms(rest), 1);
  for (const param of paramsOf(tool)) {
    add(param.nameTerms, 0.8);
    add(terms(param.says.slice(0, 80)), 0.3);
    add(terms(stringsOf(param.node.enum).slice(0, 20).join(' ')), 0.5);
  }
  const verb = leadingVerb(tool.name) ?? leadingVerb(summary) ?? unknownVerb(summary, nameTerms);
  const verbs = new Set([...nameTerms, ...terms(summary)].filter(isAction));
  const readonly = /read[- ]?only|只读/i.test(notes);
  const reach = (verbs.has(action('execute')) ? 1 : 0) + (/needs approval(?! for)/i.test(notes) ? 0.25 : 0);
  return {
    tool,
    weights,
    nameTerms,
    verb,
    verbs,
    looks: readonly || (verb === undefined ? false : looks(verb)),
    reach,
    title: titleOf(tool, summary),
  };
}

/** The first word of a name or summary that is a verb. Nouns that can be verbs count only in front. */
function leadingVerb(text: string): string | undefined {
  const list = tokens(text).filter((token) => token.terms.length > 0);
  for (const [index, token] of list.entries()) {
    const verb = token.terms.find(isAction);
    if (verb === undefined) continue;
    const alsoNoun = token.terms.some((term) => !isAction(term));
    if (!alsoNoun || (index === 0 && list.length > 1)) return verb;
  }
  return undefined;
}

/** "Rotate the keys": a word the lexicon does not know is the verb where the summary opens with it and the name has it too. */
function unknownVerb(summary: string, nameTerms: ReadonlySet<string>): string | undefined {
  const first = tokens(summary)[0]?.terms[0];
  return first?.startsWith('w:') === true && nameTerms.has(first) ? first : undefined;
}

/** Summary, guidance and the hub's own notes in the last parentheses. */
function partsOf(description: string): { summary: string; rest: string; notes: string } {
  const notes = /[(（][^()（）]*[)）]\s*$/.exec(description)?.[0] ?? '';
  const body = description.slice(0, description.length - notes.length);
  const returns = body.search(/[。.]?\s*(返回：|Returns:)/i);
  const useful = returns < 0 ? body : body.slice(0, returns);
  const cut = useful.search(/[。.;；\n](?=\s|何时用|$)|。/);
  return cut < 0 ? { summary: useful, rest: '', notes } : { summary: useful.slice(0, cut), rest: useful.slice(cut + 1), notes };
}

function titleOf(tool: ModelTool, summary: string): string {
  const text = textOf(summary).trim();
  return text === '' ? tool.name.replace(/[_-]+/g, ' ') : text.slice(0, 80);
}
