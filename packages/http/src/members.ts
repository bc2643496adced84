import { BailingError } from '@bailing/plugin-api';

/** The members of a JSON object body. */
export type Members = Readonly<Record<string, unknown>>;

/** @throws BAILING_REQUEST_MALFORMED where the body is no object, or has a member that is not in `known` */
export function membersOf(body: unknown, known: readonly string[]): Members {
  if (!isObject(body)) throw malformed('body', 'The body must be a JSON object.');
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return body;
  const named = unknown.slice(0, 64);
  throw malformed(named, `The member ${JSON.stringify(named)} is not known; there are ${known.join(', ')}.`);
}

/** Text of 1 to `max` characters; absent, null and empty are the same. @throws BAILING_REQUEST_MALFORMED */
export function optionalText(body: Members, name: string, max: number): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && value.length <= max) return value;
  throw malformed(name, `${name} must be a string of at most ${String(max)} characters.`);
}

/** @throws BAILING_REQUEST_MALFORMED */
export function requiredText(body: Members, name: string, max: number): string {
  const value = optionalText(body, name, max);
  if (value !== undefined) return value;
  throw malformed(name, `${name} must be a string of 1 to ${String(max)} characters.`);
}

/** An object; absent and null read as undefined. @throws BAILING_REQUEST_MALFORMED */
export function optionalObject(body: Members, name: string): Members | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw malformed(name, `${name} must be a JSON object.`);
}

/** Only the literal `true` counts. @throws BAILING_REQUEST_MALFORMED for anything that is no boolean */
export function flag(body: Members, name: string): boolean {
  const value = body[name];
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw malformed(name, `${name} must be true or false.`);
}

/** Arguments of a tool as a proposal carries them: JSON text, or the object itself. @throws BAILING_REQUEST_MALFORMED */
export function argumentsOf(body: Members, name: string): string | { readonly value: unknown } {
  const value = body[name];
  if (value === undefined || typeof value === 'string') return value ?? '';
  return { value };
}

export function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
