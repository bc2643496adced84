import { createSchemaCheck, type SchemaRoom } from '@bailing/schema';
import type { ErrorCode } from '@bailing/plugin-api';
import { errorCatalogue } from '@bailing/plugin-api';
import { crossChecks } from './cross-checks.js';
import { fillObject, type FillProblem } from './objects/fill.js';
import { objectKinds, type ObjectMember } from './objects/kinds.js';
import { usesNotBuilt } from './not-built.js';
import { configSchema, type BailingConfig } from './schemas/config.js';
import { resolveEnvironment } from './text/environment.js';
import { readYaml, type YamlText } from './text/yaml-text.js';

/** One thing wrong with a configuration: where in the file, what, and what to do. Never repeats a value that may be secret. */
export interface ConfigProblem {
  readonly code: ErrorCode;
  /** Dotted path, `routes[0].tools.max_calls`; empty for the file as a whole. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly says: string;
  readonly fix: string;
}

export type ConfigReading =
  { readonly ok: true; readonly config: BailingConfig } | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface ReadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file named by `spec_file`, relative to the configuration. Throws where it cannot. */
  readonly readFile: (path: string) => string;
}

let room: SchemaRoom | undefined;

/** The schema of the configuration is compiled once. */
function sharedRoom(): SchemaRoom {
  return (room ??= createSchemaCheck());
}

/** Reads `bailing.yaml` strictly; everything wrong is found and told together, with its line. Never throws. */
export function readConfig(source: string, options: ReadOptions, schema: SchemaRoom = sharedRoom()): ConfigReading {
  const read = readYaml(source);
  if (!read.ok)
    return {
      ok: false,
      problems: read.problems.map(({ line, column, says }) => ({ ...problem('BAILING_CONFIG_UNREADABLE', '', says), line, column })),
    };
  const { text } = read;
  const missing = resolveEnvironment(text, options.env);
  const value = text.current() ?? {};
  const wanting = usesNotBuilt(value);
  const found = [
    ...missing.map(({ path, name }) => problem('BAILING_CONFIG_SECRET_MISSING', path, `The environment variable ${name} is not set.`)),
    ...wanting.map(({ path, what }) => problem('BAILING_CONFIG_NOT_BUILT', path, `This version has no ${what} yet.`)),
  ];
  const checked = check(
    value,
    wanting.map(({ path }) => path),
    missing.map(({ path }) => path),
    options,
    schema,
  );
  if ('problems' in checked) found.push(...checked.problems);
  if (found.length > 0 || !('config' in checked)) return { ok: false, problems: found.map((one) => placed(one, text)) };
  return { ok: true, config: checked.config };
}

type Unplaced = Omit<ConfigProblem, 'line' | 'column'>;

function problem(code: ErrorCode, path: string, says: string): Unplaced {
  return { code, path, says, fix: errorCatalogue[code].fix };
}

function placed(one: Unplaced, text: YamlText): ConfigProblem {
  return { ...one, ...text.placeOf(one.path) };
}

function check(
  value: unknown,
  notBuilt: readonly string[],
  missing: readonly string[],
  options: ReadOptions,
  schema: SchemaRoom,
): { config: BailingConfig } | { problems: Unplaced[] } {
  const compiled = schema.compileConfig(configSchema);
  if (!compiled.ok) throw new Error(`the schema of the configuration is broken: ${JSON.stringify(compiled.problems)}`);
  const checked = compiled.check(value);
  if (!checked.ok) {
    // What was reported by name already is not reported again as unknown or too short.
    const told = (at: string) =>
      [...notBuilt, ...missing].some((path) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`));
    return { problems: checked.problems.filter(({ at }) => !told(at)).map(({ at, says }) => problem('BAILING_CONFIG_INVALID', at, says)) };
  }
  const filled = fill(checked.value as Raw, options);
  const problems = [
    ...filled.problems,
    ...crossChecks(filled.config).map(({ path, says }) => problem('BAILING_CONFIG_INVALID', path, says)),
  ];
  return problems.length > 0 ? { problems } : { config: filled.config };
}

type Raw = { -readonly [K in keyof BailingConfig]?: unknown } & { plugins: unknown[]; hub?: unknown };

/** Defaults that no schema can give: those of objects, and plugins as objects. */
function fill(raw: Raw, options: ReadOptions): { config: BailingConfig; problems: Unplaced[] } {
  const problems: Unplaced[] = [];
  const lists = objectKinds.map(({ member }) => {
    const objects = raw[member] as Readonly<Record<string, unknown>>[];
    return [member, objects.map((one, index) => filled(member, index, one, options, problems))] as const;
  });
  const config = {
    ...raw,
    hub: raw.hub,
    services: raw.services ?? {},
    inputs: raw.inputs ?? {},
    plugins: raw.plugins.map((entry) => (typeof entry === 'string' ? { use: entry, optional: false, init_timeout_ms: 10_000 } : entry)),
    ...Object.fromEntries(lists),
  };
  return { config: config as unknown as BailingConfig, problems };
}

function filled(
  member: ObjectMember,
  index: number,
  raw: Readonly<Record<string, unknown>>,
  options: ReadOptions,
  problems: Unplaced[],
): Record<string, unknown> {
  const wrong: FillProblem[] = [];
  const value = fillObject(member, raw, wrong, options.readFile);
  problems.push(...wrong.map(({ path, says }) => problem('BAILING_CONFIG_INVALID', `${member}[${String(index)}].${path}`, says)));
  return value;
}
