import type { HttpArg, JsonSchema } from '@bailing/plugin-api';
import type { Context } from '../context.js';
import { quote, type Notes } from '../notes.js';
import { isFlat, kindsOf } from '../schema/shape.js';
import { membersAt } from '../source.js';
import { isMembers, own, type Members } from '../values.js';
import type { Argument } from './argument.js';
import type { BodyContent } from './body.js';

/** Fields of a form or of a multipart body. Binary parts cannot be sent: an argument is text, and a file is given by its URL. */
export function formArguments(context: Context, content: BodyContent, args: readonly Argument[], notes: Notes): Argument[] {
  const encodings = membersAt(content.media, 'encoding') ?? {};
  return args.flatMap((arg) => {
    const encoding = membersAt(encodings, arg.http.name) ?? {};
    if (isBinary(context, arg.schema, encoding, content.kind)) return refuseBinary(arg, notes);
    if (content.kind === 'multipart') return [arg];
    const http = styleField(context, arg, encoding);
    if (http) return [{ ...arg, http }];
    notes.error(
      'unsupported_param_style',
      arg.pointer,
      `The field ${quote(arg.http.name)} has a form that cannot be written.`,
      'Leave its encoding out, or describe a flat value.',
    );
    return [];
  });
}

function refuseBinary(arg: Argument, notes: Notes): Argument[] {
  const says = `The field ${quote(arg.http.name)} is binary, and an argument cannot carry a file.`;
  const fix = 'Take the file by its URL (`type: string, format: uri`).';
  if (arg.required) notes.error('binary_not_supported', arg.pointer, says, fix);
  else notes.warn('binary_not_supported', arg.pointer, `${says} The optional field is left out.`, fix);
  return [];
}

function isBinary(context: Context, schema: JsonSchema, encoding: Members, kind: BodyContent['kind'], level = 0): boolean {
  const here = context.schemas.view(schema);
  if (!isMembers(here) || level > 4) return false;
  if (here['format'] === 'binary') return true;
  const media = here['contentMediaType'] ?? (kind === 'multipart' ? own(encoding, 'contentType') : undefined);
  if (typeof media === 'string' && here['contentEncoding'] === undefined && isBinaryMedia(media)) return true;
  const inner = here['items'] as JsonSchema | undefined;
  return inner !== undefined && isBinary(context, inner, encoding, kind, level + 1);
}

function isBinaryMedia(types: string): boolean {
  return types.split(',').some((type) => !/^\s*(?:text\/|application\/(?:[^;]*\+)?json|application\/x-www-form-urlencoded)/i.test(type));
}

/** OpenAPI's defaults for a form field: arrays repeat the name, objects are JSON text; `encoding` may say otherwise. */
function styleField(context: Context, arg: Argument, encoding: Members): HttpArg | undefined {
  const style = own(encoding, 'style');
  const explode = own(encoding, 'explode');
  const kinds = kindsOf(context.schemas, arg.schema);
  const flat = isFlat(context.schemas, arg.schema);
  if (style === undefined && explode === undefined) {
    if (kinds.has('object') || !flat) return { ...arg.http, json: true };
    return kinds.has('array') ? { ...arg.http, style: 'form', explode: true } : arg.http;
  }
  const known = style === undefined || ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style as string);
  if (!known || (explode !== undefined && typeof explode !== 'boolean') || (!flat && style !== 'deepObject')) return undefined;
  const chosen = (style ?? 'form') as NonNullable<HttpArg['style']>;
  return { ...arg.http, style: chosen, explode: explode ?? (chosen === 'form' || chosen === 'deepObject') };
}
