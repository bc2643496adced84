import type { BailingError } from '@bailing/plugin-api';
import { crossChecks, listOf, mergeObjects, objectKinds, type BailingConfig, type Finding, type KeptObject } from '@bailing/resources';

/** Something wrong with file and database together, and whose it is; `name` null where it belongs to no object. */
export interface Misfit {
  readonly member: string;
  readonly name: string | null;
  /** Path inside the object. */
  readonly path: string;
  readonly says: string;
}

export interface Combination {
  readonly config: BailingConfig;
  readonly misfits: readonly Misfit[];
}

/** File and database as one configuration, with everything that does not fit. */
export function combine(file: BailingConfig, kept: readonly KeptObject[]): Combination {
  const { config, twice } = mergeObjects(file, kept);
  const double = twice.map(({ member, name }) => ({
    member,
    name,
    path: '',
    says: 'It stands in the configuration file and in the database.',
  }));
  const told = new Set(twice.map(({ member, name }) => `${member}/${name}`));
  const others = crossChecks(config).map((finding) => misfitOf(finding, config));
  // A name in both is told once, not again as a name used twice.
  return { config, misfits: [...double, ...others.filter(({ member, name }) => !told.has(`${member}/${String(name)}`))] };
}

const PLACE = /^([a-z_]+)\[(\d+)\]\.?(.*)$/s;

function misfitOf({ path, says }: Finding, config: BailingConfig): Misfit {
  const [, member = '', index = '', rest = ''] = PLACE.exec(path) ?? [];
  const kind = objectKinds.find((one) => one.member === member);
  const object = kind ? listOf(config, kind.member)[Number(index)] : undefined;
  if (!kind || !object) return { member: path, name: null, path, says };
  return { member, name: String(object[kind.key]), path: rest, says };
}

/**
 * What opening a configuration was refused for, as what does not fit: `tool_providers orders, base_url` names an object by its list and its name. Null
 * where the place is no object.
 */
export function unopened({ at = '', detail, entry }: BailingError, config: BailingConfig): Misfit | null {
  const [place = '', path = ''] = at.split(', ', 2);
  const [member = '', name = ''] = place.split(' ', 2);
  const kind = objectKinds.find((one) => one.member === member);
  const object = kind && listOf(config, kind.member).find((one) => one[kind.key] === name);
  return kind && object ? { member, name, path, says: detail ?? entry.says } : null;
}

/** `routes refund, tools.sources[0].provider: There is no tool provider "orders".` */
export function misfitText({ member, name, path, says }: Misfit): string {
  if (name === null) return `${path}: ${says}`;
  return `${member} ${name}${path === '' ? '' : `, ${path}`}: ${says}`;
}
