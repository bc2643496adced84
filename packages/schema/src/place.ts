export type Token = string | number;

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;
const MAX_NAME = 64;

/** `['tools', 'sources', 0, 'allow']` → `tools.sources[0].allow`; names that would be ambiguous are quoted. Empty for the whole. */
export function formatPlace(tokens: readonly Token[]): string {
  let place = '';
  for (const token of tokens) {
    if (typeof token === 'number') place += `[${token}]`;
    else if (PLAIN.test(token) && token.length <= MAX_NAME) place += place === '' ? token : `.${token}`;
    else place += `[${quoteName(token)}]`;
  }
  return place;
}

/** A name of a field as it may be shown: cut, with control characters escaped. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);
}

/** A JSON pointer into `value` as tokens; a number only where the parent really is a list. */
export function pointerTokens(pointer: string, value: unknown): Token[] {
  const tokens: Token[] = [];
  let here = value;
  for (const raw of pointer.split('/').slice(1)) {
    const name = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    tokens.push(Array.isArray(here) ? Number(name) : name);
    here = isIndexable(here) ? here[name] : undefined;
  }
  return tokens;
}

function isIndexable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
