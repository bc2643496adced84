import type { YamlText } from './yaml-text.js';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Replaces `${NAME}` (and `${NAME:-default}`) in every string by the environment's value; `$${` writes a literal `${`. Answers what is missing. */
export function resolveEnvironment(
  text: YamlText,
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly path: string; readonly name: string }[] {
  const missing: { path: string; name: string }[] = [];
  for (const { path, text: written, set } of text.strings) {
    if (!written.includes('${')) continue;
    const resolved = written.replace(/\$\$\{/g, '\u0000{').replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
      const value = env[name];
      if (value !== undefined && value !== '') return value;
      if (fallback !== undefined) return fallback;
      missing.push({ path, name });
      return '';
    });
    set(resolved.replaceAll('\u0000{', '${'));
  }
  return missing;
}
