import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { param, tool } from '@bailing/verifier';
import { root } from './root.js';

/** Streams as real providers send them, one file each; where its facts come from stands in each file. */
const SHAPES = path.join(root, 'plugins', 'model-openai', 'shapes');

/** The calls each stream holds, and nothing else may be run of it. Streams that are not named hold none. */
export const STREAM_CALLS: Readonly<Record<string, readonly string[]>> = {
  openai: ['find_book {"title":"Über 水 🌊"}', 'count_copies {"isbn":"978-3"}'],
  deepseek: ['stock_level {"sku": "螺丝-8"}'],
  qwen: ['current_weather {"location": "杭州市"}'],
  kimi: ['search {"q":"荐书"}', 'search {"q":"新书"}'],
  glm: ['renew_loan {"loan_id":"L-9","days":14}'],
  'glm-selfhosted': ['find_room {"floor": 3}'],
  gemini: ['weather {"city":"北京"}', 'weather {"city":"上海"}'],
  'gemini-proxy': ['memory_save {"content":"茶","tags":[]}'],
  'index-zero': ['get_room {"no":1}', 'get_room {"no":2}', 'get_floor {}'],
  mistral: ['stock {"sku": "B-1"}'],
  groq: ['add {"a":2,"b":3}', 'multiply {"a":2,"b":3}'],
  vllm: ['list_rooms {"floor": 2, "views": ["海"]}'],
  sglang: ['open_gate {"gate":1}', 'close_gate {"gate":2}'],
  ollama: ['check_in {"guest":"王小明","nights":2}'],
  'object-arguments': ['move {"to":"W-2","qty":3}', 'ping ', 'pong '],
  'function-call': ['look {"at":"门"}'],
};

export const STREAM_NAMES: readonly string[] = readdirSync(SHAPES).map((file) => file.replace('.sse', ''));

export function streamBytes(name: string): Buffer {
  return readFileSync(path.join(SHAPES, `${name}.sse`));
}

/** Name and arguments of one call of the table above. */
export function callParts(call: string): { readonly name: string; readonly args: Readonly<Record<string, unknown>> } {
  const at = call.indexOf(' ');
  return { name: call.slice(0, at), args: JSON.parse(call.slice(at + 1) || '{}') as Record<string, unknown> };
}

/** Every tool that a stream calls, as a business declares it: each changes something, and none asks for its arguments. */
export function streamTools() {
  const names = new Map<string, Record<string, unknown>>();
  for (const { name, args } of Object.values(STREAM_CALLS).flat().map(callParts)) names.set(name, args);
  return [...names].map(([name, args]) =>
    tool({
      name,
      path: `/do/${name}`,
      scope: `shape.${name}`,
      description: `Does ${name}.`,
      params: Object.entries(args).map(([key, value]) => param(key, { schema: schemaOf(value) })),
    }),
  );
}

function schemaOf(value: unknown): Record<string, unknown> {
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  return { type: typeof value === 'number' ? 'number' : 'string' };
}

/**
 * Whether the model has said that its turn is over within these bytes: some line that arrived whole has a `finish_reason`, or is `[DONE]`.
 * Found by looking at lines, not by the reader that is under test.
 */
export function isTurnOver(bytes: Buffer): boolean {
  return bytes
    .toString('utf8')
    .split('\n')
    .some((line) => {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === undefined) return false;
      if (data.trim() === '[DONE]') return true;
      try {
        const { choices } = JSON.parse(data) as { choices?: readonly { readonly finish_reason?: unknown }[] };
        return (choices ?? []).some(({ finish_reason }) => typeof finish_reason === 'string' && finish_reason !== '');
      } catch {
        return false;
      }
    });
}
