const MAX_DEPTH = 12;
const SECRET_NAME = /password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|secret[-_]?key|authorization|cookie|credential/i;
/** Ids and hashes of the hub itself: digits in them are no telephone. */
const OWN = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/;

/** What is taken out of text, by the contract's names (WIRE §15.4), in this order. */
const RULES: readonly (readonly [rule: string, matches: RegExp, replacement: string])[] = [
  ['bearer_token', /\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/gi, 'Bearer [REDACTED_TOKEN]'],
  ['secret_like', /\b(?:sk|pk|ak|tk|eyJ)[A-Za-z0-9._-]{18,}/g, '[REDACTED_SECRET]'],
  ['email', /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g, '[REDACTED_EMAIL]'],
  [
    'id_card_cn',
    /(?<![0-9A-Za-z])\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[0-9Xx](?![0-9A-Za-z])/g,
    '[REDACTED_ID]',
  ],
  ['phone_cn', /(?<!\d)1[3-9]\d{9}(?!\d)/g, '[REDACTED_PHONE]'],
];

/** A member of JSON that was cut off and cannot be parsed any more. */
const CUT_MEMBER =
  /("[^"\\]{0,64}(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|authorization|cookie|credential)[^"\\]{0,64}"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

export const REDACTION = Object.freeze({
  applied: true,
  rules: [...RULES.map(([rule]) => rule), 'secret_member_names'],
  note: 'Texts by pattern, members by name, to a depth of 12; JSON inside texts is read as well. Read it before you pass it on all the same.',
});

/** The whole value without what looks like a secret or a person (WIRE §15.4). Pure; the value given is not touched. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, depth);
  if (typeof value === 'number') return redactNumber(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '[REDACTED_MAX_DEPTH]';
  if (Array.isArray(value)) return value.map((one) => redactValue(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redactName(name), redactMember(name, member, depth)]));
}

/** A number of somebody written as a number is no less theirs. */
function redactNumber(value: number): unknown {
  if (!Number.isSafeInteger(value)) return value;
  const written = String(value);
  const said = redactPatterns(written);
  return said === written ? value : said;
}

/** Whoever keys by address or number says it in the name. */
function redactName(name: string): string {
  return OWN.test(name) ? name : redactPatterns(name);
}

function redactMember(name: string, member: unknown, depth: number): unknown {
  if (!SECRET_NAME.test(name) || member === null || member === undefined || member === '') return redactValue(member, depth + 1);
  if (Array.isArray(member)) return member.map((one) => redactMember(name, one, depth + 1));
  return typeof member === 'object' ? '[REDACTED_SECRET_OBJECT]' : '[REDACTED_SECRET]';
}

function redactText(text: string, depth: number): string {
  if (OWN.test(text)) return text;
  const inner = /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
  if (inner !== undefined) return JSON.stringify(redactValue(inner, depth + 1));
  return redactPatterns(text.replace(CUT_MEMBER, '$1"[REDACTED_SECRET]"'));
}

function redactPatterns(text: string): string {
  return RULES.reduce((said, [, matches, replacement]) => said.replace(matches, replacement), text);
}

function jsonOf(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
