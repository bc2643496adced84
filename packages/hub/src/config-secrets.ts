import { listOf, objectKinds, secretTexts, type BailingConfig, type SettingsSchema } from '@bailing/resources';
import { SecretFinder } from './secret-finder.js';

/** Names of plugin settings that hold secrets; the settings of a plugin have no schema that says so. */
const SECRET_NAME = /token|secret|passw|api_?key|credential|private_?key|authorization/i;

/** Every secret that a configuration holds, as text. */
export function configSecrets(config: BailingConfig, schemas: SettingsSchema): readonly string[] {
  const { token, metrics, database } = config.hub;
  const objects = objectKinds.flatMap((kind) => listOf(config, kind.member).flatMap((value) => secretTexts(kind, value, schemas)));
  const plugins = config.plugins.flatMap(({ config: settings }) => named(settings, false));
  return [token ?? '', metrics?.token ?? '', passwordOf(database), ...objects, ...plugins];
}

function passwordOf(database: string): string {
  if (!URL.canParse(database)) return '';
  const { password } = new URL(database);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

function named(value: unknown, secret: boolean): readonly string[] {
  if (typeof value === 'string') return secret ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, child]) => named(child, Array.isArray(value) ? secret : SECRET_NAME.test(name)));
}

/** Says texts of others without the secrets of the configuration as it is now; they are gathered again when it has changed. */
export function secretBlanker(config: () => BailingConfig, schemas: SettingsSchema): (text: string) => string {
  let of: BailingConfig | undefined;
  let finder = new SecretFinder([]);
  return (text) => {
    const now = config();
    if (of !== now) finder = new SecretFinder(configSecrets((of = now), schemas));
    return finder.blank(text);
  };
}
