import { BailingError, type HttpBinding } from '@bailing/plugin-api';
import { multipartBody } from './multipart.js';
import { hasBody, type Placed, type Places } from './place.js';
import { pairsOf } from './query.js';
import { isObject, jsonText } from './values.js';

export interface Body {
  readonly bytes: Uint8Array;
  /** Absent where there is no body. */
  readonly contentType?: string;
}

const NONE: Body = Object.freeze({ bytes: new Uint8Array(0) });
const JSON_TYPE = 'application/json';

/** The bytes of a body and what they are called (WIRE §6.1): JSON unless the binding names another media type. */
export function buildBody(binding: HttpBinding, places: Places): Body {
  if (!hasBody(binding.method)) return NONE;
  const type = binding.body?.mediaType ?? JSON_TYPE;
  const base = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (base === JSON_TYPE || base.endsWith('+json')) return text(jsonText(jsonValue(places)), base === JSON_TYPE ? JSON_TYPE : type);
  if (base === 'application/x-www-form-urlencoded') return text(formText(fields(places)), base);
  if (base === 'multipart/form-data') return multipartBody(fields(places));
  const whole = places.whole?.value;
  if (typeof whole === 'string') return text(whole, type);
  throw new BailingError('BAILING_ARGS_INVALID', { detail: `A body of ${base} needs its whole text as one string.` });
}

function text(content: string, contentType: string): Body {
  return { bytes: Buffer.from(content, 'utf8'), contentType };
}

/** fromEntries defines members, so one that is called `__proto__` is data. */
function jsonValue(places: Places): unknown {
  if (places.whole) return places.whole.value ?? {};
  return Object.fromEntries(places.body.map(({ arg, value }) => [arg.name, value]));
}

/** Form fields: the body arguments, or the members of the one that is the whole body. */
function fields(places: Places): readonly Placed[] {
  if (!places.whole) return places.body;
  const value = places.whole.value ?? {};
  if (!isObject(value)) throw new BailingError('BAILING_ARGS_INVALID', { detail: 'A form body needs an object.' });
  return Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .map(([name, item]) => ({ arg: { in: 'body', name }, value: item }));
}

/** OpenAPI's defaults for a form field: arrays repeat the name, objects are JSON text. */
function formText(placed: readonly Placed[]): string {
  return placed
    .flatMap((one) => pairsOf(withFieldDefaults(one)))
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}

function withFieldDefaults(one: Placed): Placed {
  if (one.arg.style !== undefined || one.arg.explode !== undefined || one.arg.json === true) return one;
  const complex = isObject(one.value) || (Array.isArray(one.value) && one.value.some((item) => typeof item === 'object'));
  return complex ? { ...one, arg: { ...one.arg, json: true } } : { ...one, arg: { ...one.arg, style: 'form', explode: true } };
}
