import type { JsonSchema } from '@bailing/plugin-api';

export const NAME = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{1,63}$' } as const;

/** An object schema that refuses what it does not know. */
export function object(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function text(maxLength: number, minLength = 1): JsonSchema {
  return { type: 'string', minLength, maxLength };
}

export function integer(minimum: number, maximum: number, fallback?: number): JsonSchema {
  return { type: 'integer', minimum, maximum, ...(fallback !== undefined && { default: fallback }) };
}

export function flag(fallback: boolean): JsonSchema {
  return { type: 'boolean', default: fallback };
}

export function list(items: JsonSchema, more: Readonly<Record<string, unknown>> = {}): JsonSchema {
  return { type: 'array', items, ...more };
}

export function secret(minLength: number, maxLength: number): JsonSchema {
  return { type: 'string', minLength, maxLength, writeOnly: true };
}

export const URL_2048 = { type: 'string', maxLength: 2_048, pattern: '^https?://[^\\s#]+$' } as const;
export const URL_512 = { type: 'string', maxLength: 512, pattern: '^https?://[^\\s#]+$' } as const;
