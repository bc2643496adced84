import { hasLoneSurrogate, sha256Hex } from './bytes.js';
import { isObject, MAX_DEPTH, readObject, type JsonObject } from './json.js';

/** Thrown for arguments that have no canonical form (SIGNING 45). */
export class InvalidArguments extends TypeError {
  readonly code = 'invalid_arguments';
  constructor(why: string) {
    super(
      `These arguments have no canonical form: ${why}. Send a JSON object of ordinary texts and numbers, nested at most ${MAX_DEPTH} deep.`,
    );
    this.name = 'InvalidArguments';
  }
}

function text(value: string): string {
  if (hasLoneSurrogate(value)) throw new InvalidArguments('a text holds half of a surrogate pair');
  return JSON.stringify(value);
}

function member(source: JsonObject, name: string, depth: number): string[] {
  const value = source[name];
  return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? [] : [`${text(name)}:${write(value, depth)}`];
}

function write(value: unknown, depth: number): string {
  if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null) throw new InvalidArguments('they nest too deep');
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint') throw new InvalidArguments('a bigint is not a JSON number');
  if (Array.isArray(value)) return `[${value.map((item: unknown) => write(item, depth + 1)).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value);
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    return `{${names.flatMap((name) => member(value, name, depth + 1)).join(',')}}`;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : 'null';
}

/**
 * Canonical JSON: members sorted by UTF-16 code units, no white space, ECMAScript numbers (WIRE 7.1). Undefined members vanish, NaN and the
 * infinities are null, -0 is 0. @throws {InvalidArguments} on lone surrogates, bigints and nesting beyond 100.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** The arguments in a JSON text. @throws {InvalidArguments} unless it is a JSON object. */
export function parseArguments(json: string): JsonObject {
  const value = readObject(json);
  if (value === null) throw new InvalidArguments('they are not a JSON object');
  return value;
}

/** SHA-256 of the canonical arguments, 64 lower-case hex digits. Absent arguments are `{}`. */
export function argsHash(args?: unknown): string {
  const value = args ?? {};
  if (!isObject(value)) throw new InvalidArguments('they are not an object');
  return sha256Hex(canonicalJson(value));
}

/** The key the hub sends as `X-Bailing-Idempotency-Key` (WIRE 7.1), from an args hash or from the arguments. */
export function idempotencyKey(of: {
  tool: string;
  jobId: string;
  onBehalfOf?: string | undefined;
  argsHash?: string;
  args?: unknown;
}): string {
  const hash = of.argsHash ?? argsHash(of.args);
  return sha256Hex(canonicalJson({ args_hash: hash, job_id: of.jobId, on_behalf_of: of.onBehalfOf ?? '', tool: of.tool }));
}
