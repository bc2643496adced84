import type { JsonSchema } from '@bailing/plugin-api';
import type { Context } from '../context.js';
import type { Notes } from '../notes.js';
import { isMembers } from '../values.js';
import type { NamedArguments } from './argument.js';
import type { BodyPlan } from './body.js';

const MAX_NODES = 15_000;

/** The JSON Schema of a tool's arguments: one closed object, with the named definitions it needs. */
export function inputSchema(context: Context, args: NamedArguments, { rules, uses }: BodyPlan, pointer: string, notes: Notes): JsonSchema {
  const needs = new Set<string>();
  const defs = new Set([...uses, ...[...args.values()].flatMap((arg) => arg.uses)]);
  let nodes = 0;
  for (const { settled } of defs) {
    notes.addAll(settled?.notes ?? []);
    nodes += settled?.nodes ?? 0;
    for (const need of settled?.needs ?? []) needs.add(need);
  }
  const closure = context.schemas.closure(needs);
  notes.addAll(closure.notes);
  if (closure.tooLarge || nodes + closure.nodes > MAX_NODES)
    notes.error(
      'schema_too_large',
      pointer,
      'The arguments reach more schemas than a tool can carry.',
      'Describe the body with a smaller schema of its own.',
    );
  const required = [...args].filter(([, arg]) => arg.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...args].map(([name, arg]) => [name, arg.required ? withoutNull(arg.schema) : arg.schema])),
    ...(required.length > 0 && { required }),
    ...(rules.length > 0 && { allOf: rules }),
    additionalProperties: false,
    ...(Object.keys(closure.defs).length > 0 && { $defs: closure.defs }),
  };
}

/** A null argument is never sent (WIRE §6.1), so a required argument takes no null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isMembers(schema) || !Array.isArray(schema['type'])) return schema;
  const types = (schema['type'] as string[]).filter((type) => type !== 'null');
  if (types.length === 0 || types.length === (schema['type'] as string[]).length) return schema;
  return { ...schema, type: types.length === 1 ? types[0] : types };
}
