import type { JsonSchema } from '@bailing/plugin-api';
import { isMembers, own, type Members } from '../values.js';
import { sameJson, type Direction, type Facts } from './fact.js';
import { sameSchemas, Views } from './views.js';
import { LIMITS, judgeBound, judgeEnum, judgePattern, judgeTypes, WORDS } from './keywords.js';

const MAX_LEVELS = 24;
const MAX_PAIRS = 50_000;

/** Judges the input schema of one tool: every keyword on its own, properties and items by going inside, and what it cannot judge as looser. */
export function judgeSchema(before: JsonSchema, after: JsonSchema, facts: Facts): void {
  new SchemaJudge(before, after, facts).judge(before, after, '', 0);
}

class SchemaJudge {
  readonly #seen = new Map<unknown, Set<unknown>>();
  #left = MAX_PAIRS;
  readonly #before: Views;
  readonly #after: Views;
  constructor(
    before: JsonSchema,
    after: JsonSchema,
    private readonly facts: Facts,
  ) {
    this.#before = new Views(before);
    this.#after = new Views(after);
  }

  judge(was: JsonSchema, is: JsonSchema, param: string, level: number): void {
    const before = this.#before.view(was);
    const after = this.#after.view(is);
    if (before === after || this.#met(before, after)) return;
    if (this.#left-- <= 0)
      return void (this.#left === -1 && this.#add('looser', 'schema_changed', param, 'The schema is too large to be compared whole.'));
    if (!isMembers(before) || !isMembers(after)) return this.#booleans(before, after, param);
    if (level > MAX_LEVELS)
      return void (sameJson(before, after) || this.#add('looser', 'schema_changed', param, 'The schema changed deep inside.'));
    judgeTypes(before, after, (...fact) => this.#add(fact[0], fact[1], param, fact[2], before['type'], after['type']));
    judgeEnum(before, after, (...fact) =>
      this.#add(fact[0], fact[1], param, fact[2], before['enum'] ?? before['const'], after['enum'] ?? after['const']),
    );
    judgePattern(before, after, (...fact) => this.#add(fact[0], fact[1], param, fact[2], before['pattern'], after['pattern']));
    for (const [keyword, loosensBy] of LIMITS)
      judgeBound(before, after, keyword, loosensBy, (...fact) =>
        this.#add(fact[0], fact[1], param, fact[2], before[keyword], after[keyword]),
      );
    this.#properties(before, after, param, level);
    this.#inner(before, after, 'items', `${param}[]`, level);
    this.#inner(before, after, 'additionalProperties', `${param}.*`, level);
    for (const keyword of ['allOf', 'anyOf']) this.#branches(before, after, keyword, param, level);
    this.#rest(before, after, param);
  }

  #properties(before: Members, after: Members, param: string, level: number): void {
    const [was, is] = [membersOf(before, 'properties'), membersOf(after, 'properties')];
    const closed = own(before, 'additionalProperties') === false;
    for (const name of Object.keys(was))
      if (!Object.hasOwn(is, name))
        this.#add(
          own(after, 'additionalProperties') === false ? 'tighter' : 'looser',
          'argument_removed',
          join(param, name),
          'The argument is gone.',
        );
    for (const [name, schema] of Object.entries(is)) {
      if (!Object.hasOwn(was, name)) this.#add(closed ? 'looser' : 'tighter', 'argument_added', join(param, name), 'The argument is new.');
      else this.judge(was[name] as JsonSchema, schema as JsonSchema, join(param, name), level + 1);
    }
    const [needed, needs] = [namesOf(before), namesOf(after)];
    for (const name of needed)
      if (!needs.has(name)) this.#add('looser', 'required_removed', join(param, name), 'The argument is no longer required.');
    for (const name of needs)
      if (!needed.has(name)) this.#add('tighter', 'required_added', join(param, name), 'The argument is now required.');
  }

  /** A schema for parts that may be absent: absent and `true` admit everything. */
  #inner(before: Members, after: Members, keyword: string, param: string, level: number): void {
    const was = (own(before, keyword) ?? true) as JsonSchema;
    const is = (own(after, keyword) ?? true) as JsonSchema;
    this.judge(was, is, param, level + 1);
  }

  #booleans(before: JsonSchema, after: JsonSchema, param: string): void {
    if (sameJson(before, after)) return;
    const looser = after === true || before === false;
    this.#add(
      looser ? 'looser' : 'tighter',
      looser ? 'schema_opened' : 'schema_closed',
      param,
      looser ? 'More values are admitted.' : 'Fewer values are admitted.',
    );
  }

  /** Branches are compared one by one where there are as many as before. */
  #branches(before: Members, after: Members, keyword: string, param: string, level: number): void {
    const [was, is] = [own(before, keyword), own(after, keyword)];
    if (!Array.isArray(was) || !Array.isArray(is) || was.length !== is.length) return this.#unjudged(before, after, keyword, param);
    (is as JsonSchema[]).forEach((branch, i) => this.judge((was as JsonSchema[])[i] ?? true, branch, param, level + 1));
  }

  #rest(before: Members, after: Members, param: string): void {
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!JUDGED.has(keyword)) this.#unjudged(before, after, keyword, param);
  }

  #unjudged(before: Members, after: Members, keyword: string, param: string): void {
    const [was, is] = [own(before, keyword), own(after, keyword)];
    if (sameSchemas(this.#before, was, this.#after, is)) return;
    if (WORDS.has(keyword)) this.#add('neutral', 'words_changed', param, `${keyword} changed.`);
    else this.#add('looser', 'schema_changed', param, `${keyword} changed in a way that is not judged, so it counts as looser.`, was, is);
  }

  #add(direction: Direction, code: string, param: string, says: string, before?: unknown, after?: unknown): void {
    this.facts.add(direction, code, param === '' ? says : `${param}: ${says}`, {
      ...(param !== '' && { param }),
      ...(isSmall(before) && { before }),
      ...(isSmall(after) && { after }),
    });
  }

  #met(before: unknown, after: unknown): boolean {
    const known = this.#seen.get(before) ?? new Set();
    if (known.has(after)) return true;
    this.#seen.set(before, known.add(after));
    return false;
  }
}

const JUDGED = new Set([
  'type',
  'enum',
  'const',
  'pattern',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'allOf',
  'anyOf',
  '$defs',
  ...LIMITS.map(([keyword]) => keyword),
]);

/** Facts carry what an alert can show. */
function isSmall(value: unknown): boolean {
  return value !== undefined && (JSON.stringify(value)?.length ?? 0) <= 1_000;
}

function membersOf(schema: Members, name: string): Members {
  const value = own(schema, name);
  return isMembers(value) ? value : {};
}

function namesOf(schema: Members): ReadonlySet<string> {
  return new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
}

function join(param: string, name: string): string {
  return param === '' ? name : `${param}.${name}`;
}
