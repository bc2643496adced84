import { stringify } from 'yaml';
import { objectKinds, type ObjectKind } from '../objects/kinds.js';
import { HIDDEN } from '../objects/mask.js';
import { valueAt, withValueAt } from '../objects/paths.js';
import { placeText, textsOf, withPlace } from '../objects/settings.js';
import type { Objects } from './object-files.js';

type Doc = Readonly<Record<string, unknown>>;

/** What stands where a secret was: the name of a variable of the environment, or a mark that `apply` refuses. */
export type SecretStyle = 'env' | 'masked';

/**
 * Objects as the YAML that `bailing apply` takes: sorted by name, without what is the default anyway, never with a secret. The same objects give the same
 * text, on every hub.
 */
export function exportYaml(objects: Objects, style: SecretStyle): { readonly text: string; readonly variables: readonly string[] } {
  const names = new Names();
  const lists = objectKinds.flatMap((kind) => {
    const docs = [...((objects[kind.member] ?? []) as readonly Doc[])].sort((a, b) => (String(a[kind.key]) < String(b[kind.key]) ? -1 : 1));
    return docs.length === 0 ? [] : [[kind.member, docs.map((doc) => exported(kind, doc, style, names))] as const];
  });
  const text =
    lists.length === 0 ? '{}\n' : stringify(Object.fromEntries(lists), { lineWidth: 0, version: '1.2', aliasDuplicateObjects: false });
  return { text, variables: names.all() };
}

function exported(kind: ObjectKind, doc: Doc, style: SecretStyle, names: Names): Doc {
  const short = withoutDefaults(kind, doc);
  const literal = escaped(short) as Doc;
  const variable = (path: string) => (style === 'masked' ? HIDDEN : `\${${names.of(kind, String(doc[kind.key]), path)}}`);
  const { settings } = kind;
  const whole = kind.secrets.reduce<Doc>((shown, path) => {
    const secret = valueAt(short, path);
    return typeof secret === 'string' ? withValueAt(shown, path, variable(path)) : shown;
  }, literal);
  if (!settings) return whole;
  // Which texts of a plugin's settings are secret was judged by whoever masked them.
  const hidden = textsOf(short[settings.member], [settings.member]).filter(({ text }) => text === HIDDEN);
  return hidden.reduce<Doc>((shown, { place }) => withPlace(shown, place, variable(placeText(place))) as Doc, whole);
}

/** What reading it again puts back. */
function withoutDefaults({ schema, key, member }: ObjectKind, doc: Doc): Doc {
  const properties = (schema as { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> }).properties;
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const { [key]: named, ...rest } = doc;
  return Object.fromEntries(
    Object.entries({ [key]: named, ...rest }).filter(([name, value]) => {
      if (name === 'name' && key !== 'name' && value === doc[key]) return false;
      if (member === 'routes' && name === 'target_config' && same(value, {})) return false;
      const fallback = properties[name]?.default;
      return fallback === undefined || !same(fallback, value);
    }),
  );
}

/** A literal `${` is written `$${`. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escaped);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]));
}

/** Names of variables, one per secret; two objects never share one. */
class Names {
  private readonly taken = new Map<string, string>();

  of({ member }: ObjectKind, name: string, path: string): string {
    const owner = `${member}/${name}/${path}`;
    const base = [member, name, path]
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_');
    for (let n = 1; ; n += 1) {
      const candidate = n === 1 ? base : `${base}_${String(n)}`;
      if ((this.taken.get(candidate) ?? owner) !== owner) continue;
      this.taken.set(candidate, owner);
      return candidate;
    }
  }

  all(): readonly string[] {
    return [...this.taken.keys()];
  }
}
