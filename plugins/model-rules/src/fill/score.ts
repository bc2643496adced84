import type { Mention } from '../mentions/mention.js';
import type { Token } from '../words/tokens.js';
import { endIn, endOf, nearness } from './cues.js';
import type { Param } from './params.js';
import { patternOf } from './schema.js';
import { looseShape, samplesOf, shapeOf, valueAs } from './values.js';

export interface Clause {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
}

export interface Fit {
  readonly value: string | number;
  readonly score: number;
}

/** How well a mention fits a parameter; undefined where it cannot. Around 0.5 is "by kind alone", 1 and above is "said so". */
export function fitOf(param: Param, mention: Mention, clause: Clause, siblings: readonly Param[]): Fit | undefined {
  const value = valueAs(mention, param);
  if (value === undefined) return undefined;
  const kind = kindScore(param, mention);
  if (kind <= 0) return undefined;
  const score = kind + unitScore(param, mention) + shapeScore(param, mention, String(value)) + cueScore(param, mention, clause, siblings);
  return { value, score: mention.weak ? score - 0.25 : score };
}

function kindScore(param: Param, mention: Mention): number {
  if (param.type !== 'string') return /^(limit|size|top|count|page_?size|max_?results)$/i.test(param.name) ? 0.35 : 0.4;
  const patterned = patternOf(param.node) !== undefined;
  switch (mention.kind) {
    case 'id':
      return param.role === 'identifier'
        ? 0.5
        : patterned
          ? 0.3
          : param.role === 'plain' || param.role === 'query'
            ? 0.25
            : param.role === 'place'
              ? 0.3
              : 0;
    case 'slug':
      return param.role === 'identifier' || param.role === 'plain' || patterned ? 0.4 : 0;
    case 'number':
      return param.role === 'identifier' || param.allTerms.has('t:phone')
        ? 0.2
        : patterned
          ? 0.2
          : param.role === 'place' || param.allTerms.has('t:room')
            ? 0.15
            : 0;
    case 'date':
    case 'datetime':
    case 'time':
      return param.role === 'date' ? 0.6 : param.role === 'plain' ? 0.1 : 0;
    case 'vague':
      return 0;
    case 'phone':
      return param.allTerms.has('t:phone') ? 1 : param.role === 'identifier' ? 0.2 : 0;
    case 'email':
      return param.allTerms.has('t:email') || param.node.format === 'email'
        ? 1
        : param.role === 'identifier' || param.role === 'person'
          ? 0.2
          : 0.1;
    case 'url':
      return /url|uri|link/i.test(param.name) || param.node.format === 'uri' ? 1 : 0;
    case 'name':
      return nameScore(param);
    case 'quoted':
      return param.role === 'date'
        ? 0
        : param.role === 'identifier' || param.role === 'person'
          ? 0.35
          : param.role === 'query' || param.role === 'title'
            ? 0.65
            : 0.5;
  }
}

/** "by" leads to an author, "for" to a person, "in" to a place. */
function leadScore(param: Param, mention: Mention, text: string): number {
  if (mention.kind !== 'name' && mention.kind !== 'quoted') return 0;
  const lead = /\b(by|for|in|at|near|from|to|of)\s+$/i.exec(text.slice(Math.max(0, mention.start - 8), mention.start))?.[1]?.toLowerCase();
  if (lead === 'by') return param.allTerms.has('t:author') ? 0.4 : 0;
  if (lead === 'for') return param.role === 'person' && mention.kind === 'name' ? 0.2 : 0;
  return lead !== undefined && param.role === 'place' ? 0.25 : 0;
}

function nameScore(param: Param): number {
  if (param.role === 'person' || param.role === 'place') return 0.45;
  if (param.role === 'title' || param.role === 'plain' || param.role === 'query') return 0.3;
  return 0;
}

const COUNTS = new Set(['quantity', 'copy', 'room', 'points']);

function unitScore(param: Param, mention: Mention): number {
  if (mention.kind !== 'number' || param.type === 'string') return 0;
  const money = param.role === 'money';
  if (mention.unit === undefined) return money ? 0.05 : 0;
  if (mention.unit === 'money') return money ? 0.4 : -0.4;
  if (money) return -0.5;
  if (param.allTerms.has(`t:${mention.unit}`) || param.allTerms.has(`w:${mention.unit}`)) return 0.5;
  if (mention.unit === 'week' && param.allTerms.has('t:day')) return 0.4;
  if (mention.unit === 'person' && param.allTerms.has('t:guest')) return 0.5;
  return COUNTS.has(mention.unit) && param.allTerms.has('t:quantity') ? 0.4 : mention.unit === 'quantity' ? 0 : -0.2;
}

function shapeScore(param: Param, mention: Mention, value: string): number {
  if (param.type !== 'string') return 0;
  if (patternOf(param.node)) return 0.6;
  if (mention.kind !== 'id' && mention.kind !== 'number' && mention.kind !== 'slug') return 0;
  const exact = samplesOf(param).map(shapeOf);
  if (exact.length === 0) return 0;
  if (exact.includes(shapeOf(value))) return 0.4;
  return exact.map(looseShape).includes(looseShape(value)) ? 0.25 : -0.25;
}

function cueScore(param: Param, mention: Mention, clause: Clause, siblings: readonly Param[]): number {
  const others = siblings.filter((other) => other !== param);
  const own = new Set([...param.nameTerms].filter((term) => !others.some((other) => other.nameTerms.has(term))));
  const near = Math.max(
    0.6 * nearness(mention, own, clause.tokens, clause.mentions),
    0.35 * nearness(mention, param.nameTerms, clause.tokens, clause.mentions),
    0.3 * nearness(mention, param.allTerms, clause.tokens, clause.mentions),
  );
  const wants = endOf(param.name, param.says, param.nameTerms);
  const is = wants && endIn(clause.text, mention, clause.mentions);
  const counted =
    /^(limit|size|top|count|page_?size|max_?results|lines|last)$/i.test(param.name) &&
    /(?:last|first|top|latest|recent|最近|前|最新)\s*$/i.test(clause.text.slice(0, mention.start));
  return near + (counted ? 0.4 : 0) + leadScore(param, mention, clause.text) + (is === undefined ? 0 : is === wants ? 0.5 : -0.6);
}
