import type { HttpBinding, JsonSchema } from '@bailing/plugin-api';
import type { Context, OperationPlace } from '../context.js';
import { quote, type Notes } from '../notes.js';
import { at } from '../pointer.js';
import type { SchemaDef } from '../schema/def.js';
import { kindsOf } from '../schema/shape.js';
import { follow, membersAt } from '../source.js';
import { isMembers, own, spoken, type Members } from '../values.js';
import type { Argument } from './argument.js';
import { formArguments } from './form.js';
import { flattenBody, type FlatBody } from './flatten.js';
import { mediaBase, mediaKind, mediaRank, type MediaKind } from './media-type.js';

/** The body of an operation as arguments. */
export interface BodyPlan {
  readonly args: readonly Argument[];
  /** Media type and, where one argument is the entire body, that argument; absent where the contract's default says it all. */
  readonly body?: { readonly mediaType: string; readonly whole?: Argument };
  /** Whether the document declares a body at all: an empty object is enough to expose a write (WIRE §4.6 rule 7). */
  readonly declared: boolean;
  /** Rules over several body members. */
  readonly rules: readonly JsonSchema[];
  /** The definitions that the arguments and the rules come from. */
  readonly uses: readonly SchemaDef[];
}

const NO_BODY: BodyPlan = Object.freeze({ args: [], declared: false, rules: [], uses: [] });

/** One media type of a body with its schema. */
export interface BodyContent {
  readonly base: string;
  readonly kind: MediaKind;
  readonly media: Members;
  readonly pointer: string;
  readonly def: SchemaDef;
  readonly required: boolean;
}

export function readBody(context: Context, place: OperationPlace, notes: Notes): BodyPlan {
  const raw = own(place.operation, 'requestBody');
  if (raw === undefined || raw === null) return NO_BODY;
  const target = follow(context.source, raw, at(place.operationPointer, 'requestBody'));
  if (!target.ok) {
    notes.add(target.note);
    return NO_BODY;
  }
  if (!isMembers(target.value)) {
    notes.error(
      'invalid_request_body',
      target.pointer,
      'requestBody is not an object.',
      'Write { content: { application/json: { schema: … } } }.',
    );
    return NO_BODY;
  }
  const required = own(target.value, 'required') === true;
  if (['get', 'head'].includes(place.method.toLowerCase())) return bodyOnGet(place, target.pointer, required, notes);
  const content = chooseContent(context, membersAt(target.value, 'content') ?? {}, at(target.pointer, 'content'), required, notes);
  if (!content) return NO_BODY;
  return content.kind === 'json' ? jsonBody(context, content, notes) : formBody(context, content, notes);
}

function bodyOnGet(place: OperationPlace, pointer: string, required: boolean, notes: Notes): BodyPlan {
  const says = `A ${place.method.toUpperCase()} carries no body.`;
  if (required) notes.error('body_on_get', pointer, says, 'Use POST, or move the members to query parameters.');
  else notes.warn('body_on_get', pointer, `${says} The optional body is left out.`, 'Use POST, or move the members to query parameters.');
  return NO_BODY;
}

function chooseContent(context: Context, content: Members, pointer: string, required: boolean, notes: Notes): BodyContent | undefined {
  const usable = Object.entries(content).flatMap(([type, media]) => {
    const base = mediaBase(type);
    if (base === undefined)
      notes.warn('invalid_media_type', at(pointer, type), `${quote(type)} is not a media type.`, 'Write a type such as application/json.');
    const kind = base === undefined ? undefined : mediaKind(base);
    return base !== undefined && kind ? [{ base, kind, media, place: at(pointer, type) }] : [];
  });
  usable.sort((a, b) => mediaRank(a.base) - mediaRank(b.base));
  const [best] = usable;
  if (!best) {
    const names = Object.keys(content).slice(0, 5).map(quote).join(', ');
    notes.error(
      'unsupported_media_type',
      pointer,
      `The hub cannot write a body of ${names || 'no media type'}.`,
      'Offer application/json, application/x-www-form-urlencoded or multipart/form-data with text fields.',
    );
    return undefined;
  }
  const media = follow(context.source, best.media, best.place);
  if (!media.ok) return void notes.add(media.note);
  if (!isMembers(media.value) || own(media.value, 'schema') === undefined) {
    const says = 'The body has no schema, so nobody knows what to send.';
    if (required) notes.error('write_without_schema', best.place, says, 'Write the schema of the body under the media type.');
    else
      notes.warn(
        'write_without_schema',
        best.place,
        `${says} The optional body is left out.`,
        'Write the schema of the body under the media type.',
      );
    return undefined;
  }
  const base = best.base.includes('*') ? 'application/json' : best.base;
  const def = context.schemas.at(at(media.pointer, 'schema'));
  return { base, kind: best.kind, media: media.value, pointer: media.pointer, def, required };
}

function jsonBody(context: Context, content: BodyContent, notes: Notes): BodyPlan {
  const flat = flattenBody(context.schemas, content.def.schema);
  const named = content.base === 'application/json' ? {} : { body: { mediaType: content.base } };
  if (!flat) return wholeBody(context, content, notes);
  checkRequired(flat, content.pointer, notes);
  noteOpenBody(flat, content, notes);
  return { args: memberArguments(context, flat, content, notes), ...named, declared: true, rules: flat.rules, uses: [content.def] };
}

function formBody(context: Context, content: BodyContent, notes: Notes): BodyPlan {
  const flat = flattenBody(context.schemas, content.def.schema);
  const body = { mediaType: content.base };
  if (flat) {
    checkRequired(flat, content.pointer, notes);
    noteOpenBody(flat, content, notes);
    return {
      args: formArguments(context, content, memberArguments(context, flat, content, notes), notes),
      body,
      declared: true,
      rules: flat.rules,
      uses: [content.def],
    };
  }
  if ([...kindsOf(context.schemas, content.def.schema)].every((kind) => kind === 'object')) return wholeBody(context, content, notes);
  notes.error('unsupported_body', content.pointer, 'A form body is an object of fields.', 'Describe the fields under properties.');
  return NO_BODY;
}

function memberArguments(context: Context, flat: FlatBody, content: BodyContent, notes: Notes): Argument[] {
  const pointer = at(content.pointer, 'schema');
  const root = follow(context.source, own(content.media, 'schema'), pointer);
  const direct = root.ok && isMembers(root.value) ? membersAt(root.value, 'properties') : undefined;
  return [...flat.properties].map(([name, schema]) => {
    const place = root.ok && direct && Object.hasOwn(direct, name) ? at(root.pointer, 'properties', name) : pointer;
    if (!isDescribed(context, schema))
      notes.warn(
        'param_missing_description',
        place,
        `The body member ${quote(name)} has no description.`,
        'Say what it means and what values it takes.',
      );
    return { http: { in: 'body', name }, schema, required: flat.required.has(name), pointer: place, uses: [content.def] };
  });
}

function isDescribed(context: Context, schema: JsonSchema): boolean {
  const said = [schema, context.schemas.view(schema)].some((one) => isMembers(one) && spoken(one['description']) !== undefined);
  const all = isMembers(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as JsonSchema[]) : [];
  return said || all.some((branch) => isMembers(branch) && spoken(branch['description']) !== undefined);
}

/** One argument `body`. Where only an object is admitted and the body is optional, so is the argument: its absence is sent as `{}`. */
function wholeBody(context: Context, content: BodyContent, notes: Notes): BodyPlan {
  const onlyObject = [...kindsOf(context.schemas, content.def.schema)].every((kind) => kind === 'object');
  const required = content.required || !onlyObject;
  if (required && !content.required)
    notes.info(
      'body_always_sent',
      content.pointer,
      'The body is optional in the document, but its absence cannot be sent, so the argument is required.',
    );
  const whole: Argument = {
    http: { in: 'body', name: 'body' },
    schema: content.def.schema,
    required,
    pointer: at(content.pointer, 'schema'),
    uses: [content.def],
  };
  return { args: [whole], body: { mediaType: content.base, whole }, declared: true, rules: [], uses: [content.def] };
}

function checkRequired(flat: FlatBody, pointer: string, notes: Notes): void {
  for (const name of flat.required)
    if (!flat.properties.has(name))
      notes.error(
        'required_param_missing_schema',
        at(pointer, 'schema'),
        `The body requires ${quote(name)} but does not describe it.`,
        'Describe it under properties, or remove it from required.',
      );
}

function noteOpenBody(flat: FlatBody, content: BodyContent, notes: Notes): void {
  if (flat.open)
    notes.info(
      'additional_properties_closed',
      at(content.pointer, 'schema'),
      'Members that the document does not name cannot be sent; undeclared arguments are refused.',
    );
}

/** The binding's view of a plan once the arguments have their names. */
export function bodyBinding(plan: BodyPlan, nameOf: (arg: Argument) => string | undefined): HttpBinding['body'] | undefined {
  if (!plan.body) return undefined;
  const { mediaType, whole } = plan.body;
  const name = whole && nameOf(whole);
  return name === undefined ? { mediaType } : { mediaType, whole: name };
}
