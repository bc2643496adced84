import type { Param, ParamOptions, ParamPlace, Tool, ToolOptions } from './types.js';

/** Declares a parameter. */
export function param(name: string, options: ParamOptions = {}): Param {
  return { name, ...options };
}

/** `get_orders_order_no` from `GET /orders/{order_no}`. */
export function slug(method: string, path: string): string {
  return `${method.toLowerCase()}_${path}`
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}

/** Names between braces in a path. */
export function placeholders(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}

function placeOf(given: Param, method: string, inPath: readonly string[]): ParamPlace {
  if (given.in) return given.in;
  if (inPath.includes(given.name)) return 'path';
  return method === 'GET' ? 'query' : 'body';
}

/** Declares a tool: settles its name, its method and where each parameter goes. Nothing is checked before the document is built. */
export function tool(options: ToolOptions): Tool {
  const method = (options.method ?? 'POST').toUpperCase();
  const path = String(options.path);
  const inPath = placeholders(path);
  const params = (options.params ?? []).map((given) => ({ ...given, in: placeOf(given, method, inPath) }));
  return { ...options, method, path, params, name: options.name ? options.name : slug(method, path) };
}
