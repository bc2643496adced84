import type { ModelTool } from '@bailing/plugin-api';
import { findMentions } from '../mentions/find.js';
import type { Mention } from '../mentions/mention.js';
import { tokens } from '../words/tokens.js';
import { assign, inOneBreath } from './assign.js';
import { chosen, yesOrNo } from './choices.js';
import { misfit } from './fits.js';
import type { Param } from './params.js';
import { isProse, paramsOf } from './params.js';
import { proseIn, withoutProse } from './prose.js';
import type { Clause } from './score.js';
import { fitOf } from './score.js';
import { typeOf } from './schema.js';
import { topic, wordsFor } from './words-for.js';

/** What a value may come from besides the clause itself. */
export type Known =
  { readonly is: 'one'; readonly value: unknown } | { readonly is: 'several'; readonly values: readonly unknown[] } | undefined;

export interface FillContext {
  readonly today: string | undefined;
  /** Meanings of the clause's own verbs. */
  readonly spoken: ReadonlySet<string>;
  readonly known: (param: Param) => Known;
}

export interface Problem {
  readonly param: Param;
  readonly why: string;
}

export interface Filled {
  /** Complete argument sets; more than one where the clause names several values in one breath. */
  readonly sets: readonly Readonly<Record<string, unknown>>[];
  readonly params: readonly Param[];
  readonly missing: readonly Param[];
  readonly problems: readonly Problem[];
  /** Values to choose from where a parameter could be any of them. */
  readonly choices: ReadonlyMap<Param, readonly unknown[]>;
  readonly unused: readonly Mention[];
  /** How many parameters the clause itself filled, and how many of those are required. */
  readonly own: number;
  readonly ownRequired: number;
  /** Mean score of the values taken from mentions; 0.5 where there are none. */
  readonly quality: number;
}

/** Fills the arguments of one tool from one clause. Pure; never guesses a required value. */
export function fill(tool: ModelTool, text: string, context: FillContext): Filled {
  const params = paramsOf(tool);
  const prose = proseIn(text);
  const clause = clauseOf(withoutProse(text, prose), context.today);
  const assigned = assign(params, clause);
  const { values } = assigned;
  const proseParam = prose[0] && params.find((param) => isProse(param) && (param.role === 'reason') === (prose[0]?.kind === 'reason'));
  const anyProse = prose[0] && (proseParam ?? params.find((param) => isProse(param) && !values.has(param)));
  if (anyProse && prose[0]) values.set(anyProse, prose[0].text);
  for (const param of params) fillOther(param, clause, context, assigned, params);
  for (const param of params) if (prose[0]) fillFromProse(param, prose[0].text, context, values);
  const query = params.find((param) => param.role === 'query' && param.type === 'string');
  if (query && !values.has(query) && (values.size === 0 || query.required)) set(values, query, topic(clause));
  dropHalfGroups(params, values);
  const own = values.size;
  const ownRequired = params.filter((param) => param.required && values.has(param)).length;
  fillHolders(params, values);
  const choices = new Map<Param, readonly unknown[]>();
  for (const param of params) fillKnown(param, context, values, choices);
  for (const [param, others] of assigned.unclear) choices.set(param, [values.get(param), ...others.map((mention) => mention.value)]);
  const missing = params.filter((param) => param.required && !values.has(param) && !(param.holds && holdsAny(param, values)));
  return {
    sets: setsOf(params, values, assigned.more),
    params,
    missing,
    problems: problemsOf(params, values),
    choices,
    unused: clause.mentions.filter((mention) => !assigned.used.has(mention)),
    own,
    ownRequired,
    quality: assigned.quality,
  };
}

function clauseOf(text: string, today: string | undefined): Clause {
  return { text, tokens: tokens(text), mentions: findMentions(text, today).mentions };
}

type Assignment = ReturnType<typeof assign>;

function fillOther(param: Param, clause: Clause, context: FillContext, assigned: Assignment, params: readonly Param[]): void {
  const { values } = assigned;
  if (values.has(param) || param.holds) return;
  set(values, param, currencyIn(clause, param));
  if (values.has(param)) return;
  if (Array.isArray(param.node.enum)) set(values, param, chosen(param.node.enum, param, clause.text, clause.tokens, context.spoken));
  else if (param.type === 'boolean') set(values, param, yesOrNo(param, clause.text, clause.tokens, context.spoken));
  else if (param.type === 'array') set(values, param, listFor(param, clause, context, assigned));
  else if (param.type === 'string') {
    const words = wordsFor(param, clause, params);
    // The same words are not two things.
    if (![...values.values()].includes(words)) set(values, param, words);
  }
}

/** A reason that is a choice: `because it was stolen`. */
function fillFromProse(param: Param, text: string, context: FillContext, values: Map<Param, unknown>): void {
  if (values.has(param) || param.role !== 'reason' || !Array.isArray(param.node.enum)) return;
  set(values, param, chosen(param.node.enum, param, text, tokens(text), context.spoken));
}

/** The currency that the amounts of the clause are in, if they are all in one. */
function currencyIn(clause: Clause, param: Param): string | undefined {
  const codes = [...new Set(clause.mentions.flatMap((mention) => (mention.currency === undefined ? [] : [mention.currency])))];
  return param.nameTerms.has('t:currency') && codes.length === 1 && codes[0] !== undefined && misfit(codes[0], param.node) === undefined
    ? codes[0]
    : undefined;
}

function set(values: Map<Param, unknown>, param: Param, value: unknown): void {
  if (value !== undefined) values.set(param, value);
}

/** A list of plain values: every named choice, or the mentions that fit one entry and stand in one breath. */
function listFor(param: Param, clause: Clause, context: FillContext, { used }: Assignment): unknown[] | undefined {
  const items = param.items;
  if (!items) return undefined;
  if (Array.isArray(items.enum)) {
    const named = items.enum.filter((value) => chosen([value], param, clause.text, clause.tokens, context.spoken) !== undefined);
    return named.length > 0 ? named : undefined;
  }
  const entry: Param = { ...param, type: typeOf(items), node: items, role: typeOf(items) === 'string' ? entryRole(param) : param.role };
  const fits = clause.mentions
    .filter((mention) => !used.has(mention))
    .flatMap((mention) => {
      const fit = fitOf(entry, mention, clause, []);
      return fit && fit.score >= (param.required ? 0.4 : 0.5) ? [{ mention, value: fit.value }] : [];
    });
  const first = fits[0];
  if (!first) return undefined;
  const chain = [first];
  for (const next of fits.slice(1)) if (chain.some(({ mention }) => inOneBreath(clause.text, mention, next.mention))) chain.push(next);
  for (const { mention } of chain) used.add(mention);
  return chain.map(({ value }) => value);
}

function entryRole(param: Param): Param['role'] {
  return /(ids|nos|numbers|codes|skus|keys)$/i.test(param.name) || param.allTerms.has('t:number') ? 'identifier' : param.role;
}

/** Constants, single choices and defaults of required parameters, then what earlier steps know. */
function fillKnown(param: Param, context: FillContext, values: Map<Param, unknown>, choices: Map<Param, readonly unknown[]>): void {
  if (values.has(param) || !param.required || param.holds) return;
  const { node } = param;
  if (node.const !== undefined) return void values.set(param, node.const);
  if (Array.isArray(node.enum) && node.enum.length === 1) return void values.set(param, node.enum[0]);
  const known = context.known(param);
  if (known?.is === 'one' && misfit(known.value, node) === undefined) return void values.set(param, known.value);
  if (known?.is === 'several') choices.set(param, known.values);
  else if (node.default !== undefined) values.set(param, node.default);
}

/** An object that must be there but needs nothing inside is there empty; an empty list would say something, so it is asked for. */
function fillHolders(params: readonly Param[], values: Map<Param, unknown>): void {
  for (const param of params) if (param.holds && param.type === 'object' && !holdsAny(param, values)) values.set(param, {});
}

function holdsAny(holder: Param, values: ReadonlyMap<Param, unknown>): boolean {
  return [...values.keys()].some((param) => param !== holder && holder.path.every((key, index) => param.path[index] === key));
}

/** An optional object is given whole or not at all. */
function dropHalfGroups(params: readonly Param[], values: Map<Param, unknown>): void {
  for (const param of params) {
    if (param.required || !param.needed || values.has(param) || param.path.length < 2) continue;
    const group = param.path.slice(0, -1).join('\u0000');
    for (const other of params) if (other.path.slice(0, -1).join('\u0000') === group) values.delete(other);
  }
}

function problemsOf(params: readonly Param[], values: ReadonlyMap<Param, unknown>): Problem[] {
  return params.flatMap((param) => {
    const why = values.has(param) ? misfit(values.get(param), param.node) : undefined;
    return why === undefined ? [] : [{ param, why: `${String(values.get(param))}: ${why}` }];
  });
}

function setsOf(
  params: readonly Param[],
  values: ReadonlyMap<Param, unknown>,
  more: Assignment['more'],
): Readonly<Record<string, unknown>>[] {
  const base = objectOf(params, values);
  const [several] = more;
  if (!several) return [base];
  const [param, others] = several;
  return [base, ...others.map((value) => objectOf(params, new Map(values).set(param, value)))];
}

function objectOf(params: readonly Param[], values: ReadonlyMap<Param, unknown>): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const param of params) if (values.has(param)) put(out, param.path, values.get(param));
  return out;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', next, ...rest] = path;
  const here = (made: unknown): void =>
    void Object.defineProperty(into, key, { value: made, enumerable: true, writable: true, configurable: true });
  const there = Object.hasOwn(into, key) ? into[key] : undefined;
  if (next === undefined) return here(value);
  if (next === '[]') {
    const entry = (Array.isArray(there) ? there[0] : {}) as Record<string, unknown>;
    put(entry, rest, value);
    return here([entry]);
  }
  const child = (typeof there === 'object' && there !== null ? there : {}) as Record<string, unknown>;
  put(child, [next, ...rest], value);
  here(child);
}
