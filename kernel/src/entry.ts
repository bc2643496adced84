import type { Plugin } from '@bailing/plugin-api';
import { isPlugin } from './pick-plugin.js';

/** A plugin as the configuration names it. */
export type PluginEntry = string | Plugin | PluginEntryObject;
export interface PluginEntryObject {
  /** Id of a built-in, package name, or a path that starts with `.` or `/`; a plugin itself when embedding. */
  readonly use: string | Plugin;
  readonly config?: unknown;
  /** May fail without stopping the boot. Default false. */
  readonly optional?: boolean;
  /** Milliseconds its start may take. Default 10 000. */
  readonly init_timeout_ms?: number;
}

/** A plugin that was found, with what the configuration says about it. */
export interface FoundPlugin {
  readonly plugin: Plugin;
  /** `built-in`, `embedded`, a package name or the path as written. */
  readonly from: string;
  /** `plugins[2]` */
  readonly at: string;
  readonly config?: unknown;
  readonly optional: boolean;
  readonly initTimeoutMs?: number;
}

const MEMBERS = new Set(['use', 'config', 'optional', 'init_timeout_ms']);
const MAX_INIT_TIMEOUT_MS = 600_000;

/** The entry in its long form, or a sentence about what is wrong with it. */
export function readEntry(entry: unknown): PluginEntryObject | string {
  if (typeof entry === 'string') return entry.trim() === '' ? 'The entry is empty.' : { use: entry };
  if (isPlugin(entry)) return { use: entry };
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'An entry is a name, a path or an object with "use".';
  const unknown = Object.keys(entry).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined)
    return `An entry has no field ${JSON.stringify(unknown.slice(0, 64))}; it has use, config, optional and init_timeout_ms.`;
  const { use, optional, init_timeout_ms: ms } = entry as Readonly<Record<string, unknown>>;
  if (typeof use !== 'object' && (typeof use !== 'string' || use.trim() === '')) return 'The entry does not say which plugin to use.';
  if (use === null) return 'The entry does not say which plugin to use.';
  if (optional !== undefined && typeof optional !== 'boolean') return 'optional is true or false.';
  if (ms !== undefined && (!Number.isInteger(ms) || (ms as number) < 1 || (ms as number) > MAX_INIT_TIMEOUT_MS)) {
    return `init_timeout_ms is a whole number from 1 to ${MAX_INIT_TIMEOUT_MS}.`;
  }
  return entry as PluginEntryObject;
}
