import type { HttpArg, JsonSchema } from '@bailing/plugin-api';
import type { Context } from '../context.js';
import { isFlat, kindsOf } from '../schema/shape.js';
import { own, type Members } from '../values.js';

type Style = NonNullable<HttpArg['style']>;
type Place = 'path' | 'query' | 'header';

export type Styled =
  | {
      readonly ok: true;
      readonly http: HttpArg;
      readonly remark?: { readonly severity: 'info' | 'warning'; readonly code: string; readonly says: string; readonly fix?: string };
    }
  | { readonly ok: false; readonly says: string };

const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
};

/**
 * How a parameter with a schema is written. The document decides; where it declares neither style nor explode, a query array keeps the
 * contract's own form, comma-joined (WIRE §6.1), and an object gets OpenAPI's default, because the contract has none for it.
 */
export function styleParameter(context: Context, place: Place, name: string, parameter: Members, schema: JsonSchema): Styled {
  const style = own(parameter, 'style');
  const explode = own(parameter, 'explode');
  if (style !== undefined && !(STYLES[place] as readonly unknown[]).includes(style))
    return { ok: false, says: `The style ${JSON.stringify(style)} does not exist for ${place} parameters.` };
  if (explode !== undefined && typeof explode !== 'boolean') return { ok: false, says: 'explode is not a boolean.' };
  const base = { in: place, name, ...(place === 'query' && own(parameter, 'allowReserved') === true && { allowReserved: true }) };
  const kinds = kindsOf(context.schemas, schema);
  const flat = isFlat(context.schemas, schema);
  if (style === 'deepObject') return deepObject(base, kinds.has('object') && !kinds.has('array'), flat);
  if (!flat) return { ok: false, says: 'An array or object inside an array or object has no form in a parameter.' };
  if (style === undefined && explode === undefined && !kinds.has('object')) return contractForm(base, kinds.has('array'));
  const chosen = (style ?? (place === 'query' ? 'form' : 'simple')) as Style;
  return { ok: true, http: { ...base, style: chosen, explode: explode ?? chosen === 'form' } };
}

function contractForm(http: HttpArg, array: boolean): Styled {
  if (!array || http.in !== 'query') return { ok: true, http };
  const says = 'The array declares no style, so its items are sent comma-joined in one value.';
  return {
    ok: true,
    http,
    remark: {
      severity: 'info',
      code: 'array_comma_joined',
      says,
      fix: 'Declare `style: form` and `explode: true` to repeat the name for each item.',
    },
  };
}

function deepObject(base: HttpArg, onlyObjects: boolean, flat: boolean): Styled {
  if (!onlyObjects) return { ok: false, says: 'The style deepObject is for objects.' };
  const http: HttpArg = { ...base, style: 'deepObject', explode: true };
  if (flat) return { ok: true, http };
  const says =
    'OpenAPI does not say how deepObject writes inner objects and arrays; they are sent as name[a][b]=… and name[a]=…&name[a]=….';
  return {
    ok: true,
    http,
    remark: { severity: 'warning', code: 'deep_object_nested', says, fix: 'Make sure that the business reads this form.' },
  };
}
