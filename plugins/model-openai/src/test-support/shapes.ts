import { readFileSync } from 'node:fs';
import type { Assembled } from './assemble.js';

/** What a client must make of each file in `shapes/`; where the facts come from stands in the files. */
export const expected: Readonly<Record<string, Assembled>> = {
  openai: {
    text: '',
    reasoning: '',
    calls: [call('find_book', '{"title":"Über 水 🌊"}'), call('count_copies', '{"isbn":"978-3"}')],
    usage: [71, 19],
    end: 'tool_calls',
  },
  azure: { text: 'The room is free — 空房。', reasoning: '', calls: [], end: 'stop' },
  deepseek: {
    text: '',
    reasoning: '先查库存。',
    calls: [call('stock_level', '{"sku": "螺丝-8"}')],
    usage: [300, 40],
    end: 'tool_calls',
  },
  qwen: { text: '', reasoning: '', calls: [call('current_weather', '{"location": "杭州市"}')], end: 'tool_calls' },
  kimi: {
    text: '我来查。',
    reasoning: '',
    calls: [call('search', '{"q":"荐书"}'), call('search', '{"q":"新书"}')],
    usage: [55, 21],
    end: 'tool_calls',
  },
  glm: { text: '好的', reasoning: '', calls: [call('renew_loan', '{"loan_id":"L-9","days":14}')], usage: [100, 12], end: 'tool_calls' },
  'glm-selfhosted': { text: '', reasoning: '', calls: [call('find_room', '{"floor": 3}')], end: 'tool_calls' },
  gemini: { text: '', reasoning: '', calls: [call('weather', '{"city":"北京"}'), call('weather', '{"city":"上海"}')], end: 'tool_calls' },
  'gemini-proxy': { text: '', reasoning: '', calls: [call('memory_save', '{"content":"茶","tags":[]}')], end: 'tool_calls' },
  'index-zero': {
    text: '',
    reasoning: '',
    calls: [call('get_room', '{"no":1}'), call('get_room', '{"no":2}'), call('get_floor', '{}')],
    end: 'tool_calls',
  },
  mistral: {
    text: 'Checking.',
    reasoning: 'Okay, stock first.',
    calls: [call('stock', '{"sku": "B-1"}')],
    usage: [9, 8],
    end: 'tool_calls',
  },
  groq: {
    text: '',
    reasoning: 'Two sums.',
    calls: [call('add', '{"a":2,"b":3}'), call('multiply', '{"a":2,"b":3}')],
    usage: [200, 30],
    end: 'tool_calls',
  },
  openrouter: { text: 'It is late 🌙.', reasoning: 'Hm.', calls: [], usage: [8, 5], end: 'stop' },
  vllm: { text: '', reasoning: '', calls: [call('list_rooms', '{"floor": 2, "views": ["海"]}')], end: 'tool_calls' },
  sglang: { text: '', reasoning: '', calls: [call('open_gate', '{"gate":1}'), call('close_gate', '{"gate":2}')], end: 'tool_calls' },
  ollama: { text: '', reasoning: '', calls: [call('check_in', '{"guest":"王小明","nights":2}')], end: 'tool_calls' },
  minimax: { text: '已归还《活着》。', reasoning: '嗯', calls: [], usage: [30, 9], end: 'stop' },
  'object-arguments': {
    text: '',
    reasoning: '',
    calls: [call('move', '{"to":"W-2","qty":3}'), call('ping', ''), call('pong', '')],
    end: 'tool_calls',
  },
  'function-call': { text: '', reasoning: '', calls: [call('look', '{"at":"门"}')], end: 'tool_calls' },
};

function call(name: string, args: string): { name: string; args: string } {
  return { name, args };
}

/** The bytes of one file, with the line ends asked for. */
export function shape(name: string, lineEnd = '\n'): Buffer {
  const text = readFileSync(new URL(`../../shapes/${name}.sse`, import.meta.url), 'utf8');
  return Buffer.from(lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
}
