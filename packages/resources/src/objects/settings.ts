import type { JsonSchema } from '@bailing/plugin-api';
import type { ObjectMember } from './kinds.js';

type Node = Readonly<Record<string, unknown>>;

/** JSON Schema of the settings of one kind, as its plugin gives it; undefined where no plugin brings that kind here. */
export type SettingsSchema = (member: ObjectMember, kind: string) => JsonSchema | undefined;

/** Where a text stands inside settings: names of members, and places in lists. */
export type Place = readonly (string | number)[];

/** Names that are secret in every channel (WIRE §18), whatever its schema says. */
const SECRET_NAMES: ReadonlySet<string> = new Set(['token', 'aes_key', 'secret', 'app_secret', 'encrypt_key', 'verification_token']);

/**
 * Where the secrets of settings stand. A value is shown only where the schema declares it and marks neither it nor what is around it as `writeOnly`:
 * without a schema, and where a schema leads to no declaration, every text is a secret.
 */
export function secretPlaces(settings: unknown, schema: JsonSchema | undefined): readonly Place[] {
  const found: Place[] = [];
  visit(settings, { nodes: nodesOf(schema), hidden: false, place: [] }, found);
  return found;
}

interface Visit {
  /** Schemas that speak about this value; empty where none does. */
  readonly nodes: readonly Node[];
  readonly hidden: boolean;
  readonly place: Place;
}

function visit(value: unknown, { nodes, hidden, place }: Visit, found: Place[]): void {
  const own = hidden || nodes.some(({ writeOnly }) => writeOnly === true);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const children = nodes.flatMap(({ items, prefixItems }) =>
        nodesOf((prefixItems as readonly JsonSchema[] | undefined)?.[index] ?? items),
      );
      visit(item, { nodes: children, hidden: own, place: [...place, index] }, found);
    });
  } else if (value !== null && typeof value === 'object') {
    for (const [name, child] of Object.entries(value)) {
      const secret = own || (place.length === 0 && SECRET_NAMES.has(name));
      visit(child, { nodes: nodes.flatMap((node) => memberOf(node, name)), hidden: secret, place: [...place, name] }, found);
    }
  } else if (own ? value !== null && value !== undefined : typeof value === 'string' && nodes.length === 0) found.push(place);
}

/** A schema with everything it is put together from. What it refers to is not followed: values there count as secret. */
function nodesOf(schema: unknown): readonly Node[] {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [];
  const node = schema as Node;
  if (typeof node['$ref'] === 'string') return [{ writeOnly: true }];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => (Array.isArray(node[name]) ? (node[name] as readonly unknown[]) : []));
  return [node, ...[...parts, node['then'], node['else'], node['if']].flatMap(nodesOf)];
}

function memberOf(node: Node, name: string): readonly Node[] {
  const properties = node['properties'] as Node | undefined;
  if (properties && Object.hasOwn(properties, name)) return nodesOf(properties[name]);
  return nodesOf(node['additionalProperties']);
}

/** The value at a place; undefined where the way ends before. */
export function atPlace(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((node, name) => {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, name)) return undefined;
    return (node as Readonly<Record<string | number, unknown>>)[name];
  }, value);
}

/** A copy with another value at a place, or without it (`undefined`); objects on the way are made. */
export function withPlace(value: unknown, place: Place, next: unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return next;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === name ? withPlace(item, rest, next) : item));
  const whole = (value !== null && typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  const replaced = withPlace(Object.hasOwn(whole, name) ? whole[name] : undefined, rest, next);
  const entries = Object.entries(whole).filter(([key]) => key !== String(name) || replaced !== undefined);
  const members = entries.map(([key, child]) => [key, key === String(name) ? replaced : child] as const);
  return Object.fromEntries(
    Object.hasOwn(whole, name) || replaced === undefined ? members : [...members, [String(name), replaced] as const],
  );
}

/** Settings without their secrets. */
export function withoutSecrets(settings: unknown, schema: JsonSchema | undefined): unknown {
  return secretPlaces(settings, schema).reduce((shown, place) => withPlace(shown, place, undefined), settings);
}

/** The secrets of settings, as text. */
export function secretsIn(settings: unknown, schema: JsonSchema | undefined): readonly string[] {
  const values = secretPlaces(settings, schema).map((place) => atPlace(settings, place));
  return values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []));
}

/** `url`, `servers[0].host`: as the schema check writes it. */
export function placeText(place: Place): string {
  return place.reduce<string>(
    (text, name) => (typeof name === 'number' ? `${text}[${String(name)}]` : text === '' ? name : `${text}.${name}`),
    '',
  );
}

/** Every text of settings, with its place. */
export function textsOf(settings: unknown, place: Place = []): readonly { readonly place: Place; readonly text: string }[] {
  if (typeof settings === 'string') return [{ place, text: settings }];
  if (Array.isArray(settings)) return settings.flatMap((item, index) => textsOf(item, [...place, index]));
  if (settings === null || typeof settings !== 'object') return [];
  return Object.entries(settings).flatMap(([name, child]) => textsOf(child, [...place, name]));
}

const HOST_MEMBERS = /(?:^|_)(?:host|hostname|server|address|endpoint|domain)$/i;

/**
 * Where settings lead, by place: URLs by their origin, and hosts with the port beside them. Defaults of the kind count as if they were written, so that an
 * address that is left out is not one that nobody knows.
 */
export function addressesOf(settings: unknown, schema: JsonSchema | undefined): ReadonlyMap<string, string> {
  const filled = withDefaults(settings, schema);
  return new Map(
    textsOf(filled).flatMap(({ place, text }) => {
      const origin = originOf(text, place, filled);
      return origin === null ? [] : [[placeText(place), origin] as const];
    }),
  );
}

function originOf(text: string, place: Place, settings: unknown): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (!URL.canParse(text)) return text;
    const { protocol, host } = new URL(text);
    return `${protocol}//${host}`;
  }
  if (!HOST_MEMBERS.test(String(place.at(-1)))) return null;
  const port = atPlace(settings, [...place.slice(0, -1), 'port']);
  return `${text.toLowerCase()}:${typeof port === 'number' || typeof port === 'string' ? String(port) : ''}`;
}

function withDefaults(settings: unknown, schema: JsonSchema | undefined): unknown {
  const properties = ((schema as Node | undefined)?.['properties'] ?? {}) as Readonly<Record<string, Node>>;
  const defaults = Object.entries(properties).flatMap(([name, child]) =>
    child['default'] === undefined ? [] : [[name, child['default']] as const],
  );
  return { ...Object.fromEntries(defaults), ...(settings as object) };
}
