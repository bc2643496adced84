import { createHash } from 'node:crypto';
import { BailingError, type JsonSchema, type SchemaCheck, type SchemaValidator } from '@bailing/plugin-api';
import { createJudges, type Judge, type ValidateFunction } from './ajv.js';
import { isKeyword } from './keywords.js';
import { readSchema, type ReadRules } from './dialect.js';
import { RecentlyUsed } from './lru.js';
import type { Problem } from './problem.js';
import { reportErrors } from './report.js';

/** A schema of somebody else, compiled or refused. `warnings` name parts that check nothing, such as unknown formats. */
export type Compiled =
  | { readonly ok: true; readonly validate: SchemaValidator; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A configuration after its check: a copy with the defaults filled in, or everything that is wrong with it. */
export type Configured = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problems: readonly Problem[] };
export type ConfigSchema =
  { readonly ok: true; readonly check: (value: unknown) => Configured } | { readonly ok: false; readonly problems: readonly Problem[] };

/** The one place where JSON Schema is compiled and checked. Nothing is coerced; no value is ever repeated in a sentence. */
export interface SchemaRoom extends SchemaCheck {
  /** Throws BailingError `BAILING_SCHEMA_INVALID` where {@link SchemaRoom.tryCompile} would list problems. */
  compile(schema: JsonSchema): SchemaValidator;
  /** For schemas from documents: 2020-12, draft-07 and OpenAPI 3.0 spellings; unknown keywords are remarks. Never throws. */
  tryCompile(schema: unknown): Compiled;
  /** For configuration: unknown keywords and formats are problems, undeclared fields are refused, defaults are applied. Never throws. */
  compileConfig(schema: unknown): ConfigSchema;
}

const DEFAULT_CACHE_SIZE = 1_000;

/** @param options.cacheSize compiled schemas kept by content; the least recently used one goes first. */
export function createSchemaCheck(options: { readonly cacheSize?: number } = {}): SchemaRoom {
  const tolerant = createJudges(false);
  const strict = createJudges(true);
  const compiled = new RecentlyUsed<Compiled>(options.cacheSize ?? DEFAULT_CACHE_SIZE);
  const configs = new RecentlyUsed<ConfigSchema>(options.cacheSize ?? DEFAULT_CACHE_SIZE);
  const tryCompile = (schema: unknown): Compiled => remembered(compiled, schema, () => compileTolerant(tolerant(), schema));
  return {
    tryCompile,
    compile: (schema) => {
      const result = tryCompile(schema);
      if (result.ok) return result.validate;
      const first = result.problems[0];
      throw new BailingError('BAILING_SCHEMA_INVALID', { ...(first && { at: first.at, detail: first.says }) });
    },
    compileConfig: (schema) => remembered(configs, schema, () => compileStrict(strict(), schema)),
  };
}

function remembered<V>(cache: RecentlyUsed<V>, schema: unknown, make: () => V): V {
  const key = contentKey(schema);
  const known = key === undefined ? undefined : cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (key !== undefined) cache.set(key, made);
  return made;
}

/** Absent where a schema is not JSON: those are refused by the reader, with a reason. */
function contentKey(schema: unknown): string | undefined {
  try {
    const text = JSON.stringify(schema) as string | undefined;
    return text === undefined ? undefined : createHash('sha256').update(text).digest('base64');
  } catch {
    return undefined;
  }
}

/** Code is generated when the first value comes: most of the tools of a large document are never called. */
function compileTolerant(judge: Judge, schema: unknown): Compiled {
  const made = read(judge, schema, {});
  if (!made.ok) return made;
  let built: Built | undefined;
  return {
    ok: true,
    warnings: made.warnings,
    validate: (value) => {
      built ??= build(judge, made.schema);
      return built.ok ? check(judge, built.validate, value) : built.problems;
    },
  };
}

function compileStrict(judge: Judge, schema: unknown): ConfigSchema {
  const reading = read(judge, schema, { closed: true, known: isKeyword });
  if (!reading.ok) return reading;
  if (reading.warnings.length > 0) return { ok: false, problems: reading.warnings };
  const made = build(judge, reading.schema);
  if (!made.ok) return made;
  return {
    ok: true,
    check: (value) => {
      const copy = copyJson(value);
      if (!copy.ok) return copy;
      const problems = check(judge, made.validate, copy.value);
      return problems.length === 0 ? copy : { ok: false, problems };
    },
  };
}

type Refused = { readonly ok: false; readonly problems: readonly Problem[] };
type Read = { readonly ok: true; readonly schema: unknown; readonly warnings: readonly Problem[] } | Refused;
type Built = { readonly ok: true; readonly validate: ValidateFunction } | Refused;

/** The schema in one dialect, with everything that forbids its use. */
function read(judge: Judge, schema: unknown, rules: ReadRules): Read {
  try {
    const reading = readSchema(schema, rules);
    if (reading.problems.length > 0) return { ok: false, problems: reading.problems };
    const errors = judge.schemaErrors(reading.schema);
    if (errors.length > 0) return { ok: false, problems: reportErrors(errors, reading.schema) };
    return { ok: true, schema: reading.schema, warnings: reading.warnings };
  } catch (error) {
    return { ok: false, problems: [{ at: '', says: refusal(error) }] };
  }
}

function build(judge: Judge, schema: unknown): Built {
  try {
    return { ok: true, validate: judge.compile(schema) };
  } catch (error) {
    return { ok: false, problems: [{ at: '', says: refusal(error) }] };
  }
}

/** What only shows while compiling. */
function refusal(error: unknown): string {
  if (error instanceof RangeError) return 'The schema is nested too deeply.';
  return `The schema cannot be compiled: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'}.`;
}

function check(judge: Judge, validate: ValidateFunction, value: unknown): readonly Problem[] {
  try {
    const { errors, exhausted } = judge.errors(validate, value);
    if (exhausted) return [{ at: '', says: 'The value is too long to be checked against the patterns of its schema.' }];
    return reportErrors(errors, value);
  } catch (error) {
    if (error instanceof RangeError) return [{ at: '', says: 'The value is nested too deeply.' }];
    throw error;
  }
}

function copyJson(value: unknown): Configured {
  try {
    return { ok: true, value: structuredClone(value) };
  } catch {
    return { ok: false, problems: [{ at: '', says: 'Must be plain data: text, numbers, true, false, null, lists and objects.' }] };
  }
}
