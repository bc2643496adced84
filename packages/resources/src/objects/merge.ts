import type { BailingConfig } from '../schemas/config.js';
import { objectKinds, type ObjectMember } from './kinds.js';

/** An object of the database, read and opened. */
export interface KeptObject {
  readonly member: ObjectMember;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Merged {
  /** File first, in its order; then the database, by name. */
  readonly config: BailingConfig;
  /** Names that stand in both: nobody could say which one counts. */
  readonly twice: readonly { readonly member: ObjectMember; readonly name: string }[];
}

/** File and database as one configuration. Checks nothing but names in both. */
export function mergeObjects(file: BailingConfig, kept: readonly KeptObject[]): Merged {
  const twice: { member: ObjectMember; name: string }[] = [];
  const lists = objectKinds.map(({ member, key }) => {
    const fromFile = listOf(file, member);
    const names = new Set(fromFile.map((one) => String(one[key])));
    const rows = kept.filter((one) => one.member === member).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of rows) if (names.has(name)) twice.push({ member, name });
    return [member, [...fromFile, ...rows.map(({ value }) => value)]] as const;
  });
  return { config: { ...file, ...(Object.fromEntries(lists) as unknown as Partial<BailingConfig>) }, twice };
}

/** The objects of one list, as plain members. */
export function listOf(config: BailingConfig, member: ObjectMember): readonly Readonly<Record<string, unknown>>[] {
  return config[member] as unknown as readonly Readonly<Record<string, unknown>>[];
}
