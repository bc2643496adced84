import { BailingError, type HttpArg, type HttpBinding } from '@bailing/plugin-api';
import { unsafe } from './encode.js';

/** One argument that is sent, with where it goes. */
export interface Placed {
  readonly arg: HttpArg;
  readonly value: unknown;
}

/** The arguments of a call sorted by place, in the order they came. */
export interface Places {
  readonly path: readonly Placed[];
  readonly query: readonly Placed[];
  readonly header: readonly Placed[];
  readonly body: readonly Placed[];
  /** Set where one argument is the whole body; `value` undefined where it was not given. */
  readonly whole?: { readonly value: unknown };
}

/** GET and HEAD carry no body (WIRE §6.1). */
export function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * Sorts arguments by place. Null and undefined are skipped; an argument without a declared place goes to the query of a GET and into the body
 * otherwise; body arguments of a GET are dropped (WIRE §6.1).
 */
export function placeArguments(binding: HttpBinding, args: Readonly<Record<string, unknown>>): Places {
  const places = { path: [] as Placed[], query: [] as Placed[], header: [] as Placed[], body: [] as Placed[] };
  const whole = binding.body?.whole;
  let wholeValue: unknown;
  const taken = new Set<string>();
  for (const [key, value] of Object.entries(args)) {
    if (value === null || value === undefined) continue;
    if (key === whole) {
      wholeValue = value;
      continue;
    }
    const arg = declared(binding, key);
    if (arg.in === 'body' && whole !== undefined) throw misplaced(key);
    const place = `${arg.in} ${arg.in === 'header' ? arg.name.toLowerCase() : arg.name}`;
    if (taken.has(place)) throw unsafe(`Two arguments claim the ${arg.in} place ${JSON.stringify(arg.name)}.`);
    taken.add(place);
    places[arg.in].push({ arg, value });
  }
  return whole === undefined ? places : { ...places, whole: { value: wholeValue } };
}

function declared(binding: HttpBinding, key: string): HttpArg {
  const arg = Object.hasOwn(binding.args, key) ? binding.args[key] : undefined;
  return arg ?? { in: hasBody(binding.method) ? 'body' : 'query', name: key };
}

function misplaced(key: string): BailingError {
  return new BailingError('BAILING_ARGS_INVALID', { detail: `The argument ${JSON.stringify(key)} has no place in this request.`, at: key });
}
