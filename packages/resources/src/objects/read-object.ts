import { createSchemaCheck, type SchemaRoom } from '@bailing/schema';
import type { ErrorCode } from '@bailing/plugin-api';
import { usesNotBuilt } from '../not-built.js';
import { fillObject, type FillProblem, type ReadFile } from './fill.js';
import type { ObjectKind } from './kinds.js';

/** One thing wrong with an object: the path inside it, and what. Never repeats a value that may be secret. */
export interface ObjectProblem {
  readonly code: ErrorCode;
  readonly path: string;
  readonly says: string;
}

export type ObjectReading =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly ObjectProblem[] };

let shared: SchemaRoom | undefined;
const room = (): SchemaRoom => (shared ??= createSchemaCheck());

/** Reads one object strictly, with its defaults, as its list in `bailing.yaml` would. Never throws. */
export function readObject(kind: ObjectKind, raw: unknown, readFile?: ReadFile): ObjectReading {
  const wanting = notBuilt(kind, raw);
  const checked = compiledSchema(kind).check(raw);
  const problems: ObjectProblem[] = wanting.map(({ path, what }) => ({
    code: 'BAILING_CONFIG_NOT_BUILT',
    path,
    says: `This version has no ${what} yet.`,
  }));
  if (!checked.ok) {
    const told = (at: string) => wanting.some(({ path }) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`));
    problems.push(...checked.problems.filter(({ at }) => !told(at)).map(({ at, says }) => invalid(at, says)));
    return { ok: false, problems };
  }
  const filling: FillProblem[] = [];
  const value = fillObject(kind.member, checked.value as Readonly<Record<string, unknown>>, filling, readFile);
  problems.push(...filling.map(({ path, says }) => invalid(path, says)));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}

function notBuilt({ member }: ObjectKind, raw: unknown): readonly { readonly path: string; readonly what: string }[] {
  const before = `${member}[0].`;
  return usesNotBuilt({ [member]: [raw] }).map(({ path, what }) => ({
    path: path.startsWith(before) ? path.slice(before.length) : '',
    what,
  }));
}

function compiledSchema(kind: ObjectKind) {
  const compiled = room().compileConfig(kind.schema);
  if (!compiled.ok) throw new Error(`the schema of ${kind.member} is broken: ${JSON.stringify(compiled.problems)}`);
  return compiled;
}

function invalid(path: string, says: string): ObjectProblem {
  return { code: 'BAILING_CONFIG_INVALID', path, says };
}
