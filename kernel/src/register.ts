import { API_VERSION, type Point } from '@bailing/plugin-api';
import type { FoundPlugin } from './entry.js';
import { Member } from './member.js';
import { bootProblem, type BootProblem } from './problem.js';

export interface RegisterOptions {
  readonly points: readonly Point<unknown>[];
  /** Ids without which there is no boot. */
  readonly required: readonly string[];
  readonly apiVersion?: string;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Who takes part. Pure: no factory runs. The later one of two that collide is the one that is wrong. */
export function register(
  found: readonly FoundPlugin[],
  options: RegisterOptions,
): { readonly members: readonly Member[]; readonly problems: readonly BootProblem[] } {
  const members = found.map((one) => new Member(one));
  const byId = new Map<string, Member>();
  const names = new Map<string, string>();
  for (const member of members) {
    const twin = byId.get(member.id);
    if (twin) {
      const says = `The plugin ${member.id} is there twice: ${twin.found.at} and ${member.found.at}.`;
      member.fail(bootProblem('BAILING_PLUGIN_DUPLICATE', member.source(member.found.at, says, 'Remove one of the two entries.')));
      continue;
    }
    byId.set(member.id, member);
    checkVersion(member, options.apiVersion ?? API_VERSION);
    checkContributions(member, options.points, names);
  }
  return { members, problems: options.required.flatMap((id) => checkRequired(id, byId.get(id))) };
}

/** Same major, minor not above the host's. */
function checkVersion(member: Member, host: string): void {
  const [major, minor] = versionParts(host);
  const [builtMajor, builtMinor] = versionParts(member.plugin.apiVersion);
  if (builtMajor === major && builtMinor <= minor) return;
  const says = `It was built with plugin-api ${member.plugin.apiVersion.slice(0, 32)} and this host serves ${major}.0 to ${major}.${minor}.`;
  member.fail(bootProblem('BAILING_PLUGIN_API_MISMATCH', member.source(member.found.at, says)));
}

function versionParts(version: string): readonly [number, number] {
  const found = /^(\d{1,6})\.(\d{1,6})\.\d{1,6}(?:[-+]|$)/.exec(version);
  return found ? [Number(found[1]), Number(found[2])] : [NaN, NaN];
}

function checkContributions(member: Member, points: readonly Point<unknown>[], names: Map<string, string>): void {
  for (const { point, name, make } of member.plugin.contributions) {
    const at = `${point.id} ${name}`;
    if (!points.some(({ id }) => id === point.id)) {
      const served = points.map(({ id }) => id).join(', ');
      member.fail(bootProblem('BAILING_PLUGIN_API_MISMATCH', member.source(at, `This host has no point ${point.id}; it has ${served}.`)));
      continue;
    }
    if (typeof name !== 'string' || !NAME.test(name) || typeof make !== 'function') {
      const says = 'A contribution has a name of lower-case letters, digits, dots and dashes, and a function that makes it.';
      member.fail(
        bootProblem('BAILING_PLUGIN_NOT_A_PLUGIN', member.source(at, says, 'Make contributions with add(point, name, factory).')),
      );
      continue;
    }
    const other = names.get(at);
    if (other !== undefined) {
      const says = `${other === member.id ? 'It adds' : `${other} already adds`} ${JSON.stringify(name)} to ${point.id}${other === member.id ? ' twice' : ''}.`;
      member.fail(bootProblem('BAILING_PLUGIN_DUPLICATE', member.source(at, says)));
      continue;
    }
    names.set(at, member.id);
  }
}

function checkRequired(id: string, member: Member | undefined): readonly BootProblem[] {
  if (member && !member.found.optional) return [];
  const detail = member ? `The hub cannot run without ${id}, so it cannot be optional.` : `The hub cannot run without ${id}.`;
  const fix = member ? 'Remove optional from the entry.' : `Add ${id} to plugins.`;
  return [bootProblem('BAILING_PLUGIN_REQUIRED', { plugin: id, at: member?.found.at ?? 'plugins', detail, fix })];
}
