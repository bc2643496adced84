import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { boundedFormats } from './formats.js';
import { compilePattern, type Meter } from './patterns/index.js';

export type { ErrorObject, ValidateFunction };

/** Steps that all patterns of one validation may take together: some tens of milliseconds. */
const PATTERN_STEPS = 5_000_000;

/** One ajv with the house's rules: nothing coerced, nothing remembered, no regular expression that can run away. */
export interface Judge {
  readonly compile: (schema: unknown) => ValidateFunction;
  /** Errors of the schema itself, by the 2020-12 meta-schema. */
  readonly schemaErrors: (schema: unknown) => readonly ErrorObject[];
  /** Errors of a value, and whether a pattern ran out of steps (then the value is refused, whatever else was found). */
  readonly errors: (validate: ValidateFunction, value: unknown) => { readonly errors: readonly ErrorObject[]; readonly exhausted: boolean };
}

/** ajv keeps names of all it ever compiled, so an instance is let go after this many schemas. */
const SCHEMAS_PER_JUDGE = 2_000;

/** Hands out the judge for the next schema; whoever compiled with an older one keeps it until its validator goes. */
export function createJudges(useDefaults: boolean, perJudge = SCHEMAS_PER_JUDGE): () => Judge {
  let judge: Judge | undefined;
  let left = perJudge;
  return () => {
    if (left-- <= 0) [judge, left] = [undefined, perJudge - 1];
    return (judge ??= createJudge(useDefaults));
  };
}

function createAjv(useDefaults: boolean, meter: Meter): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    verbose: true,
    messages: false,
    logger: false,
    ownProperties: true,
    validateSchema: false,
    // 19.99 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 9,
    useDefaults,
    code: { regExp: patternEngine(meter) },
    formats: boundedFormats((text) => compilePattern(text, meter).ok),
  });
  replaceUniqueItems(ajv);
  return ajv;
}

let meta: { readonly ajv: Ajv2020; readonly meter: Meter } | undefined;

/** The meta-schema is the same for every judge, and compiling it is the longest single step of a start: once per process. */
function schemaErrors(schema: unknown): readonly ErrorObject[] {
  const meter = meta?.meter ?? { left: PATTERN_STEPS };
  const { ajv } = (meta ??= { ajv: createAjv(false, meter), meter });
  meter.left = PATTERN_STEPS;
  void ajv.validateSchema(schema as object);
  return ajv.errors ?? [];
}

/** @param useDefaults writes the defaults of the schema into the value that is checked. */
function createJudge(useDefaults: boolean): Judge {
  const meter: Meter = { left: PATTERN_STEPS };
  const ajv = createAjv(useDefaults, meter);
  const refill = (): void => {
    meter.left = PATTERN_STEPS;
  };
  return {
    compile: (schema) => {
      const validate = ajv.compile(schema as object);
      ajv.removeSchema(schema as object);
      return validate;
    },
    schemaErrors,
    errors: (validate, value) => {
      refill();
      const valid: boolean = validate(value);
      const errors = valid ? [] : (validate.errors ?? []);
      validate.errors = null;
      return { errors, exhausted: meter.left <= 0 };
    },
  };
}

function patternEngine(meter: Meter) {
  const engine = (pattern: string) => {
    const compiled = compilePattern(pattern, meter);
    if (!compiled.ok) throw new Error(compiled.says);
    return compiled.pattern;
  };
  return Object.assign(engine, { code: 'boundedPattern' });
}

/** ajv compares every pair of items; a set of canonical texts does the same work in one pass. */
function replaceUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) => !unique || new Set(items.map(sameText)).size === items.length,
  });
}

/** Equal JSON values have equal texts. */
function sameText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
