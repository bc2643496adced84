import type { PluginEntry } from '@bailing/kernel';

/** The id of a built-in, or what else a plugin entry names. */
export function idOf(entry: PluginEntry): string {
  if (typeof entry === 'string') return entry;
  if ('use' in entry) return typeof entry.use === 'string' ? entry.use : entry.use.id;
  return entry.id;
}
