import type { FillContext, Filled } from '../fill/fill.js';
import { fill } from '../fill/fill.js';
import { isAction, looks } from '../words/lexicon.js';
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
  const speechless = ![...intent.words.keys()].some((term) => shelf.profiles.some(({ weights }) => weights.has(term)));
  return shelf.profiles
    .filter((profile) => profile.looks || !(intent.state || speechless))
    .map((profile) => ({ profile, words: speechless ? 0.25 : Math.max(profile.looks ? 0.15 : 0, wordScore(profile, intent, shelf)) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words)
    .slice(0, speechless ? 5 * SHORTLIST : SHORTLIST)
    .map(({ profile, words }) => {
      const filled = fill(profile.tool, clause, context);
      return {
        profile,
        filled,
        words,
        score: words + verbScore(profile, intent) - reachPenalty(profile, intent) + fillScore(filled, profile.looks),
      };
    })
    .filter(({ profile, filled }) => isAbout(profile, intent, filled))
    .sort((a, b) => b.score - a.score);
}

/** The tool shares a noun or a changing verb with the clause, or a value of the clause is exactly of its kind. */
function isAbout(profile: Profile, intent: Intent, filled: Filled): boolean {
  // Asked to change something, a tool that only looks does not do, unless it looks at that very kind of thing.
  if (profile.looks && intent.verb !== undefined && !looks(intent.verb) && !intent.state && !profile.verbs.has(intent.verb)) return false;
  const content = [...intent.words.keys()].filter((term) => !isAction(term) || !looks(term));
  if (content.some((term) => (profile.weights.get(term) ?? 0) >= 0.3)) return true;
  if (profile.verb === 'a:search' && intent.verbs.includes('a:search') && filled.own > 0) return true;
  return filled.own > 0 && filled.missing.length === 0 && filled.quality >= 0.7;
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
  if (intent.state) return profile.looks ? readScore(profile, verbs) : -0.7;
  if (intent.wants) return profile.looks ? 0 : 0.1;
  if (changes.length === 0) return profile.looks ? readScore(profile, verbs) : profile.verb === undefined ? -0.1 : -0.7;
  if (profile.verb !== undefined && profile.verb === verb) return 0.45;
  if (profile.looks && verb !== undefined && looks(verb)) return readScore(profile, verbs);
  if (profile.looks) return changes.some((one) => profile.verbs.has(one)) ? -0.15 : -0.45;
  if (profile.verb !== undefined && verbs.includes(profile.verb)) return 0.3;
  const plain = profile.verb === undefined || GENERAL.has(profile.verb);
  if (changes.some((one) => profile.nameTerms.has(one))) return plain ? 0.15 : profile.verb === 'a:execute' ? 0 : -0.2;
  return changes.some((one) => profile.verbs.has(one)) ? (plain ? 0.1 : -0.2) : -0.3;
}

/** Who did not say "execute", "now" or "at once" gets the tool that does less, where there is one. */
function reachPenalty(profile: Profile, intent: Intent): number {
  return intent.verbs.includes('a:execute') ? 0 : 0.2 * profile.reach;
}

/** Verbs that fit any request; any other verb of a tool should have been said. */
const GENERAL = new Set(['a:create', 'a:request', 'a:update', 'a:send', 'a:assign', 'a:finish', 'a:start']);

function readScore(profile: Profile, verbs: readonly string[]): number {
  return profile.verb !== undefined && verbs.includes(profile.verb) ? 0.3 : 0.25;
}

function fillScore(filled: Filled, lookingOnly: boolean): number {
  const required = filled.params.filter((param) => param.required).length;
  const lacking = filled.missing.length;
  const complete = lacking === 0 ? (required > 0 && filled.own > 0 ? 0.25 : 0.1) : -Math.min(0.4, 0.15 * lacking);
  const idle = filled.unused.filter((mention) => mention.weak !== true && mention.kind !== 'name').length;
  return complete + 0.05 * Math.min(filled.own, 4) + 0.3 * (filled.quality - 0.5) - Math.min(0.4, (lookingOnly ? 0.1 : 0.15) * idle);
}
