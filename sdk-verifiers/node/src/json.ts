import { hasLoneSurrogate, strictUtf8 } from './bytes.js';

/** Deepest nesting that is read anywhere in the scheme (SIGNING 42, 45). */
export const MAX_DEPTH = 100;

export type JsonObject = { [name: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** At most `limit` opening brackets altogether, strings included: then nothing can nest deeper. Quick, and true of nearly every text. */
function fewBrackets(text: string, limit: number): boolean {
  let found = 0;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found > limit) return false;
    }
  }
  return true;
}

/** True when brackets outside of strings nest deeper than the limit. Linear, no recursion: it guards the recursive steps. */
export function tooDeep(text: string, limit = MAX_DEPTH): boolean {
  if (fewBrackets(text, limit)) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x7b || c === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (c === 0x7d || c === 0x5d) depth -= 1;
  }
  return false;
}

function anyLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return hasLoneSurrogate(value);
  if (Array.isArray(value)) return value.some(anyLoneSurrogate);
  return isObject(value) && Object.entries(value).some(([name, member]) => hasLoneSurrogate(name) || anyLoneSurrogate(member));
}

/** The JSON object in a text or in strict UTF-8 bytes; `null` for anything else, deep nesting and lone surrogates included. Never throws. */
export function readObject(source: string | Uint8Array): JsonObject | null {
  const text = typeof source === 'string' ? source : strictUtf8(source);
  if (text === null || tooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    // In strict UTF-8 half a pair can only come from an escape: without one there is nothing to look for.
    const suspect = typeof source === 'string' || text.includes('\\u');
    return isObject(value) && !(suspect && anyLoneSurrogate(value)) ? value : null;
  } catch {
    return null;
  }
}
