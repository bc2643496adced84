import type { JsonSchema } from '@bailing/plugin-api';
import type { Context, OperationPlace } from '../context.js';
import { quote, type Notes } from '../notes.js';
import { at } from '../pointer.js';
import type { SchemaDef } from '../schema/def.js';
import { follow } from '../source.js';
import { isMembers, own, spoken, type Members } from '../values.js';
import type { Argument } from './argument.js';
import { headerFate } from './header-names.js';
import { mediaBase, mediaKind } from './media-type.js';
import { placeholdersOf } from './path.js';
import { styleParameter } from './styles.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly members: Members;
  readonly pointer: string;
}

/** The parameters of an operation as arguments: those of the path item first, each replaced by the operation's own of the same name and place. */
export function readParameters(context: Context, place: OperationPlace, notes: Notes): readonly Argument[] {
  const merged = new Map([
    ...readList(context, own(place.item, 'parameters'), place.itemPlace('parameters'), notes),
    ...readList(context, own(place.operation, 'parameters'), at(place.operationPointer, 'parameters'), notes),
  ]);
  const placeholders = placeholdersOf(place.path);
  const args: Argument[] = [];
  for (const parameter of merged.values()) {
    if (parameter.in === 'path' && !placeholders.has(parameter.name)) {
      notes.warn(
        'path_param_not_in_path',
        parameter.pointer,
        `The path has no placeholder {${parameter.name}}, so the parameter is left out.`,
        'Remove the parameter, or add the placeholder.',
      );
      continue;
    }
    const arg = toArgument(context, parameter, notes);
    if (arg) args.push(arg);
  }
  for (const name of placeholders)
    if (name !== '' && !merged.has(`path ${name}`) && !merged.has(`query ${name}`))
      notes.error(
        'path_param_missing',
        place.pointer,
        `The placeholder {${name}} of the path has no parameter.`,
        `Declare ${quote(name)} with \`in: path\`.`,
      );
  return args;
}

function readList(context: Context, list: unknown, pointer: string, notes: Notes): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  if (list === undefined || list === null) return found;
  if (!Array.isArray(list)) {
    notes.error('invalid_parameters', pointer, 'parameters is not a list.', 'Write a list of parameter objects.');
    return found;
  }
  list.forEach((raw: unknown, i) => {
    const parameter = readParameter(context, raw, at(pointer, i), notes);
    if (!parameter) return;
    const key = `${parameter.in} ${parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name}`;
    const before = found.get(key);
    if (!before) found.set(key, parameter);
    else if (before.members === parameter.members || JSON.stringify(before.members) === JSON.stringify(parameter.members))
      notes.info('duplicate_parameter', at(pointer, i), `The parameter ${quote(parameter.name)} is listed twice in the same words.`);
    else
      notes.error(
        'duplicate_parameter',
        at(pointer, i),
        `Two parameters in ${parameter.in} are called ${quote(parameter.name)}.`,
        'Keep one of them.',
      );
  });
  return found;
}

function readParameter(context: Context, raw: unknown, pointer: string, notes: Notes): Parameter | undefined {
  const target = follow(context.source, raw, pointer);
  if (!target.ok) return void notes.add(target.note);
  const members = target.value;
  if (!isMembers(members))
    return void notes.error('invalid_parameters', target.pointer, 'A parameter is not an object.', 'Write { name, in, schema }.');
  const where = own(members, 'in');
  if (where !== 'path' && where !== 'query' && where !== 'header')
    return void notes.error(
      'unsupported_param_location',
      target.pointer,
      `A parameter in ${quote(typeof where === 'string' ? where : 'no place')} cannot be sent.`,
      'Use `in: path`, `query` or `header`; a cookie cannot carry an argument.',
    );
  const name = own(members, 'name');
  if (typeof name !== 'string' || name === '')
    return void notes.error('param_without_name', target.pointer, 'A parameter has no name.', 'Give the parameter a name.');
  const fate = where === 'header' ? headerFate(name) : 'argument';
  if (fate === 'ignored')
    return void notes.warn(
      'header_param_ignored',
      target.pointer,
      `The header ${quote(name)} is decided by the hub, so the parameter is left out.`,
      'Remove the parameter.',
    );
  if (fate === 'refused')
    return void notes.error(
      'reserved_header',
      target.pointer,
      `The header ${quote(name)} may not be set by an argument.`,
      'Use another header name, or a query parameter.',
    );
  return { name, in: where, members, pointer: target.pointer };
}

function toArgument(context: Context, parameter: Parameter, notes: Notes): Argument | undefined {
  const { members, pointer, name } = parameter;
  const required = own(members, 'required') === true || parameter.in === 'path';
  const content = own(members, 'content');
  const hasSchema = isMembers(own(members, 'schema')) || typeof own(members, 'schema') === 'boolean';
  if (!hasSchema && isMembers(content)) return contentArgument(context, parameter, content, required, notes);
  if (!hasSchema)
    return void notes.error(
      'param_without_schema',
      pointer,
      `The parameter ${quote(name)} has no schema, so nobody knows what to send.`,
      'Write the type under `schema`.',
    );
  const def = context.schemas.at(at(pointer, 'schema'));
  const styled = styleParameter(context, parameter.in, name, members, def.schema);
  if (styled.ok) {
    const { remark } = styled;
    if (remark) notes[remark.severity === 'info' ? 'info' : 'warn'](remark.code, pointer, remark.says, remark.fix);
    return { http: styled.http, schema: worded(parameter, def, notes), required, pointer, uses: [def] };
  }
  if (required) notes.error('unsupported_param_style', pointer, styled.says, 'Declare a style that can write it, or move it to the body.');
  else
    notes.warn(
      'unsupported_param_style',
      pointer,
      `${styled.says} The optional parameter ${quote(name)} is left out.`,
      'Declare a style that can write it, or move it to the body.',
    );
  return undefined;
}

/** A `content`-typed parameter is sent as JSON text. */
function contentArgument(context: Context, parameter: Parameter, content: Members, required: boolean, notes: Notes): Argument | undefined {
  const { pointer, name } = parameter;
  const [entry, more] = Object.entries(content);
  const base = entry && mediaBase(entry[0]);
  const schema = entry && isMembers(entry[1]) ? own(entry[1], 'schema') : undefined;
  if (!entry || more || base === undefined || mediaKind(base) !== 'json')
    return void notes.error(
      'unsupported_param_content',
      at(pointer, 'content'),
      `The content of the parameter ${quote(name)} is not one JSON media type.`,
      'Use exactly one entry, application/json.',
    );
  if (schema === undefined)
    return void notes.error(
      'param_without_schema',
      at(pointer, 'content', entry[0]),
      `The content of the parameter ${quote(name)} has no schema.`,
      'Write the schema under the media type.',
    );
  const def = context.schemas.at(at(pointer, 'content', entry[0], 'schema'));
  return { http: { in: parameter.in, name, json: true }, schema: worded(parameter, def, notes), required, pointer, uses: [def] };
}

/** The parameter's own words win over those of a schema it may share. */
function worded(parameter: Parameter, def: SchemaDef, notes: Notes): JsonSchema {
  const description = spoken(own(parameter.members, 'description'));
  const schema = def.schema;
  if (description === undefined && !(isMembers(schema) && spoken(schema['description'])))
    notes.warn(
      'param_missing_description',
      parameter.pointer,
      `The parameter ${quote(parameter.name)} has no description.`,
      'Say what it means and what values it takes.',
    );
  if (description === undefined) return schema;
  return isMembers(schema) ? { ...schema, description } : schema ? { description } : schema;
}
