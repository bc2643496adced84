import { createHash } from 'node:crypto';
import type { ObjectMember } from './kinds.js';

export interface FillProblem {
  /** Path inside the object. */
  readonly path: string;
  readonly says: string;
}

type Raw = Readonly<Record<string, unknown>>;

/** Reads a file named by an object. Throws where it cannot. */
export type ReadFile = (path: string) => string;

/**
 * Defaults that no schema can give: names from keys, documents as text. Without `readFile` (over HTTP, where nothing lies beside the object) files are
 * refused.
 */
export function fillObject(member: ObjectMember, raw: Raw, problems: FillProblem[], readFile?: ReadFile): Record<string, unknown> {
  if (member === 'clients') return { ...named(raw, 'app_id') };
  if (member === 'routes') return { target_config: {}, ...named(raw, 'route_key') };
  if (member === 'alert_rules') return { id: `alert-${ruleHash(raw)}`, ...raw };
  if (member !== 'tool_providers') return { ...raw };
  const documented = document(raw, 'spec_json', 'spec_file', problems, readFile);
  const whole = document(documented, 'overlay', 'overlay_file', problems, readFile);
  return { ...whole, base_url: String(whole['base_url']).replace(/\/+$/, '') };
}

/** A rule without a name of its own is known by what it says. */
function ruleHash({ event_prefix: prefix = '', url, channel, recipients }: Raw): string {
  return createHash('sha256')
    .update(JSON.stringify(channel === undefined ? [prefix, url] : [prefix, url, channel, recipients]))
    .digest('hex')
    .slice(0, 8);
}

function named(raw: Raw, key: string): Raw {
  return { name: raw[key], ...raw };
}

/** A document as text: written into the object, as YAML or text, or kept in a file beside the configuration. */
function document(raw: Raw, member: string, fileMember: string, problems: FillProblem[], readFile?: ReadFile): Raw {
  const { [fileMember]: file, ...others } = raw;
  const rest: Record<string, unknown> = others;
  if (typeof rest[member] === 'object') rest[member] = JSON.stringify(rest[member]);
  if (typeof file !== 'string') return rest;
  const wrong = (says: string) => problems.push({ path: fileMember, says });
  if (rest[member] !== undefined) wrong(`Give ${member} or ${fileMember}, not both.`);
  if (!readFile) {
    wrong(`A file cannot be read from here; send its text as ${member}.`);
    return { ...rest, [member]: '{}' };
  }
  try {
    return { ...rest, [member]: readFile(file) };
  } catch {
    wrong('This file cannot be read.');
    return { ...rest, [member]: '{}' };
  }
}
