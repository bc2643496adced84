import type { JsonSchema, Log } from '@bailing/plugin-api';

type Fields = Readonly<Record<string, unknown>>;
const MAX_DEEP = 6;

/** Knows the secret values of a boot and takes them out of every text that leaves the kernel. */
export class Redactor {
  #secrets: readonly string[] = [];

  add(secrets: readonly string[]): void {
    const all = new Set([...this.#secrets, ...secrets].filter((secret) => secret.length > 0));
    this.#secrets = [...all].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
  }

  /** A log that redacts what is given to it. */
  log(log: Log): Log {
    const level =
      (write: 'debug' | 'info' | 'warn' | 'error') =>
      (message: string, fields?: Fields): void =>
        log[write](this.text(message), fields && (this.#value(fields, 0) as Fields));
    return Object.freeze({ debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') });
  }

  #value(value: unknown, deep: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (value instanceof Error) return this.text(value.message);
    if (typeof value !== 'object' || value === null) return value;
    if (deep >= MAX_DEEP) return '…';
    if (Array.isArray(value)) return value.map((part) => this.#value(part, deep + 1));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.#value(part, deep + 1)]));
  }
}

/** The texts that stand at `writeOnly` places of a checked configuration, whether they came from the environment or not. */
export function writeOnlyTexts(schema: JsonSchema, value: unknown): readonly string[] {
  if (typeof schema !== 'object') return [];
  if (schema['writeOnly'] === true) return textsOf(value);
  if (Array.isArray(value)) return value.flatMap((part) => writeOnlyTexts((schema['items'] ?? true) as JsonSchema, part));
  if (typeof value !== 'object' || value === null) return [];
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  return Object.entries(value).flatMap(([name, part]) =>
    writeOnlyTexts(
      Object.hasOwn(properties, name) ? (properties[name] as JsonSchema) : ((schema['additionalProperties'] ?? true) as JsonSchema),
      part,
    ),
  );
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
