import type { AccProblem } from './acc-declaration.js';

export type AccRecord = Readonly<Record<string, unknown>>;

/** Collects problems while a declaration is read, and holds the few questions asked of every field. */
export interface AccReader {
  readonly problems: AccProblem[];
  error(code: string, pointer: string, message: string, suggestion: string): void;
  warn(code: string, pointer: string, message: string, suggestion: string): void;
  /** An own member; inherited names such as `constructor` are not members of a document. */
  own(record: AccRecord, name: string): unknown;
  /** A member that must be an object where present; an empty object where absent or wrong. */
  group(record: AccRecord, name: string): AccRecord;
  /** A boolean member: true only for the literal true. */
  flag(record: AccRecord, at: string, name: string): boolean;
}

export function isRecord(value: unknown): value is AccRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Length in code points, as JSON Schema counts it. */
export function lengthOf(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++, count++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return count;
}

export function accReader(): AccReader {
  const problems: AccProblem[] = [];
  const say = (severity: 'error' | 'warning') => (code: string, pointer: string, message: string, suggestion: string) =>
    void problems.push({ severity, code, pointer, message, suggestion });
  const error = say('error');
  const own = (record: AccRecord, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
  const group = (record: AccRecord, name: string): AccRecord => {
    const value = own(record, name);
    if (value === undefined) return {};
    if (isRecord(value)) return value;
    error('invalid_agent_capability', `/${name}`, `${name} is not an object.`, `Write ${name} as an object, or leave it out.`);
    return {};
  };
  const flag = (record: AccRecord, at: string, name: string): boolean => {
    const value = own(record, name);
    if (value === undefined || typeof value === 'boolean') return value === true;
    error('invalid_boolean', `${at}/${name}`, `${at.slice(1)}.${name} is not a boolean.`, 'Write true or false without quotes.');
    return false;
  };
  return { problems, error, warn: say('warning'), own, group, flag };
}
