import type { HttpArg, JsonSchema } from '@bailing/plugin-api';
import type { Notes } from '../notes.js';
import type { SchemaDef } from '../schema/def.js';

/** One argument of a tool before it gets its final name. */
export interface Argument {
  readonly http: HttpArg;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly pointer: string;
  /** The definitions whose `$defs` the schema needs. */
  readonly uses: readonly SchemaDef[];
}

/** Arguments by their final names, in order. */
export type NamedArguments = ReadonlyMap<string, Argument>;

const MAX_ARGUMENTS = 500;

/**
 * Gives every argument its name. The same name in two places gives every one of them its place as a suffix (`id_in_path`, `id_in_body`), so
 * that a condition on `id` can never silently look at the other one.
 */
export function nameArguments(args: readonly Argument[], pointer: string, notes: Notes): NamedArguments {
  const counts = new Map<string, number>();
  for (const { http } of args) counts.set(http.name, (counts.get(http.name) ?? 0) + 1);
  const named = new Map<string, Argument>();
  if (args.length > MAX_ARGUMENTS)
    notes.error(
      'too_many_arguments',
      pointer,
      `The operation has more than ${MAX_ARGUMENTS} arguments.`,
      'Group them in one body object, or split the operation.',
    );
  for (const arg of args.slice(0, MAX_ARGUMENTS)) {
    const shared = (counts.get(arg.http.name) ?? 0) > 1;
    const name = shared ? `${arg.http.name}_in_${arg.http.in}` : arg.http.name;
    if (shared)
      notes.info('argument_renamed', arg.pointer, `${arg.http.name} stands in more than one place, so this argument is called ${name}.`);
    if (name === '__proto__') notes.error('invalid_param_name', arg.pointer, 'An argument cannot be called __proto__.', 'Rename it.');
    else if (named.has(name))
      notes.error('duplicate_argument', arg.pointer, `Two arguments would be called ${name}.`, 'Rename one of them.');
    else named.set(name, arg);
  }
  return named;
}
