import type { ModelTool } from '@bailing/plugin-api';
import type { FillContext, Filled } from '../fill/fill.js';
import { fill } from '../fill/fill.js';
import { looks } from '../words/lexicon.js';
import type { Intent } from './intent.js';
import type { Profile, Shelf } from './profile.js';

/** One tool for one clause. */
export interface Choice {
  readonly profile: Profile;
  readonly filled: Filled;
  /** Around 1 for a good match; see LEAST. */
  readonly score: number;
  /** The part of the score that words alone give. */
  readonly words: number;
}

/** Below this no tool fits. */
export const LEAST = 0.55;
/** How many of the best by words get their arguments filled. */
const SHORTLIST = 6;

/** The tools for a clause, best first. Deterministic: ties stay in the order of the tools. */
export function rank(shelf: Shelf, clause: string, intent: Intent, context: FillContext): Choice[] {
  return shelf.profiles
    .map((profile) => ({ profile, words: wordScore(profile, intent, shelf) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words)
    .slice(0, SHORTLIST)
    .map(({ profile, words }) => {
      const filled = fill(profile.tool as ModelTool, clause, context);
      return { profile, filled, words, score: words + verbScore(profile, intent) + fillScore(filled) };
    })
    .sort((a, b) => b.score - a.score);
}

/** How much of what was said the tool is about, and how much of the tool was said. */
function wordScore(profile: Profile, intent: Intent, shelf: Shelf): number {
  let said = 0;
  let met = 0;
  for (const [term, weight] of intent.words) {
    // Words that no tool knows say nothing about which one to take.
    const value = weight * shelf.rarity(term);
    const known = profile.weights.get(term);
    if (known !== undefined) met += value * Math.min(1, known / 2.5);
    said += shelf.profiles.some((other) => other.weights.has(term)) ? value : value * 0.15;
  }
  if (met === 0 || said === 0) return 0;
  const name = [...profile.nameTerms];
  const total = name.reduce((sum, term) => sum + shelf.rarity(term), 0);
  const spoken = name.filter((term) => intent.words.has(term)).reduce((sum, term) => sum + shelf.rarity(term), 0);
  return 0.7 * (met / said) + (total === 0 ? 0 : 0.4 * (spoken / total));
}

function verbScore(profile: Profile, intent: Intent): number {
  const { verb, verbs } = intent;
  const changes = verbs.filter((one) => !looks(one));
  if (changes.length === 0) return profile.looks ? readScore(profile, verbs) : profile.verb === undefined ? -0.1 : -0.7;
  if (profile.verb !== undefined && profile.verb === verb) return 0.45;
  if (profile.looks && verb !== undefined && looks(verb)) return readScore(profile, verbs);
  if (profile.looks) return changes.some((one) => profile.verbs.has(one)) ? -0.15 : -0.45;
  if (profile.verb !== undefined && verbs.includes(profile.verb)) return 0.3;
  if (changes.some((one) => profile.nameTerms.has(one))) return profile.verb === 'a:execute' ? 0 : 0.15;
  if (changes.some((one) => profile.verbs.has(one))) return 0.1;
  return -0.3;
}

function readScore(profile: Profile, verbs: readonly string[]): number {
  return profile.verb !== undefined && verbs.includes(profile.verb) ? 0.3 : 0.2;
}

function fillScore(filled: Filled): number {
  const required = filled.params.filter((param) => param.required).length;
  const lacking = filled.missing.length;
  const complete = lacking === 0 ? (required > 0 && filled.own > 0 ? 0.25 : 0.1) : -Math.min(0.4, 0.15 * lacking);
  const idle = filled.unused.filter((mention) => mention.weak !== true && mention.kind !== 'name').length;
  return complete + 0.3 * (filled.quality - 0.5) - Math.min(0.4, 0.15 * idle);
}
