import type { Plugin } from '@bailing/plugin-api';

/** Whether a value is a whole plugin made by definePlugin (of whatever copy of plugin-api). */
export function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null) return false;
  const plugin = value as Partial<Record<keyof Plugin, unknown>>;
  return (
    plugin.bailingPlugin === true &&
    typeof plugin.id === 'string' &&
    typeof plugin.apiVersion === 'string' &&
    typeof plugin.needs === 'object' &&
    plugin.needs !== null &&
    Array.isArray(plugin.contributions) &&
    Array.isArray(plugin.offers)
  );
}

/** The one plugin of a module, exported as default or by name; or a sentence about why there is not exactly one. */
export function pickPlugin(exported: unknown): Plugin | string {
  if (isPlugin(exported)) return exported;
  const found = new Set([...values(exported), ...values((exported as { default?: unknown } | null)?.default)].filter(isPlugin));
  const [only] = found;
  if (only && found.size === 1) return only;
  if (found.size > 1)
    return `It exports ${found.size} plugins (${[...found].map(({ id }) => id).join(', ')}) where exactly one is expected.`;
  const names = Object.keys(Object(exported) as object);
  const listed = names.length === 0 ? 'nothing' : names.slice(0, 8).join(', ');
  return `It exports ${listed}, but no value made by definePlugin.`;
}

function values(exported: unknown): readonly unknown[] {
  return typeof exported === 'object' && exported !== null ? Object.values(exported) : [];
}
