/** A second, independent reading of JSON Schema for the tests: only what the generated tools use. Answers the first problem. */
export function problem(value: unknown, schema: unknown, at = '$'): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type, required, properties, items, additionalProperties, ...rest } = schema as Record<string, unknown>;
  if (typeof type === 'string' && !isOf(value, type)) return `${at} is not ${type}`;
  if (Array.isArray(rest.enum) && !rest.enum.includes(value)) return `${at} is not one of the choices`;
  if (typeof value === 'string' && typeof rest.pattern === 'string' && !new RegExp(rest.pattern).test(value)) return `${at} does not match`;
  if (typeof value === 'string' && typeof rest.maxLength === 'number' && value.length > rest.maxLength) return `${at} is too long`;
  if (typeof value === 'number' && typeof rest.minimum === 'number' && value < rest.minimum) return `${at} is too small`;
  if (typeof value === 'number' && typeof rest.maximum === 'number' && value > rest.maximum) return `${at} is too large`;
  if (Array.isArray(value)) return first(value.map((one, index) => problem(one, items, `${at}[${String(index)}]`)));
  if (typeof value !== 'object' || value === null) return undefined;
  const known = (properties ?? {}) as Record<string, unknown>;
  const missing = ((required ?? []) as string[]).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const foreign = additionalProperties === false ? Object.keys(value).find((name) => !Object.hasOwn(known, name)) : undefined;
  if (foreign !== undefined) return `${at}.${foreign} is not declared`;
  return first(Object.entries(value).map(([name, one]) => problem(one, known[name], `${at}.${name}`)));
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((one) => one !== undefined);
}
