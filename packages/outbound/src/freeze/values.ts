import { unsafe } from './encode.js';

export type Scalar = string | number | boolean;
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of one plain value. @throws BAILING_TARGET_UNSAFE for arrays, objects and null, which have no one text */
export function scalarText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw unsafe(`The argument ${JSON.stringify(name)} must be one plain value here.`);
}

/** Texts of an array of plain values. */
export function itemTexts(value: readonly unknown[], name: string): string[] {
  return value.map((item) => scalarText(item, name));
}

/** The contract's own form: arrays comma-joined, null items empty; objects have none (WIRE §6.1). */
export function contractText(value: unknown, name: string): string {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === null ? '' : scalarText(item, name))).join(',');
  return scalarText(value, name);
}

/** Compact JSON of a value that came from JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value);
}

/** JSON in ASCII only, for places that carry no other characters. */
export function asciiJson(value: unknown): string {
  return jsonText(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
