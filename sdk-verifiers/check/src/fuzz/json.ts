import fc from 'fast-check';
import { bent, hmacHex, latin, MS, oddBytes, put, SECRET } from './bytes.js';
import type { Draft } from './corpus.js';

const numbers = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.double({ noNaN: true, min: -1e22, max: 1e22 }).map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.tuple(fc.integer(), fc.nat({ max: 9999 }), fc.integer({ min: -330, max: 330 })).map(([whole, part, e]) => `${whole}.${part}e${e}`),
  fc.constantFrom(
    '-0',
    '0.0',
    '1E5',
    '1e+5',
    '5e-324',
    '1e400',
    '-1e400',
    '1e23',
    '9007199254740993',
    '0.1e1',
    '00',
    '01',
    '+1',
    '.5',
    '5.',
    '1e',
    '-',
    'NaN',
    'Infinity',
    '0x10',
    '1_0',
  ),
);

const escapes = [
  '\\u0000',
  '\\ud800',
  '\\udc00',
  '\\ud83d\\ude00',
  '\\u00E9',
  '\\x41',
  '\\/',
  '\\u12',
  '\\n',
  '\\"',
  '\u007f',
  '\u2028',
  '\u0001',
  '\t',
  'é',
  '😀',
  '\ufeff',
  '"',
];
const strings = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom('a', '1', ...escapes), { maxLength: 4 }).map((parts) => `"${parts.join('')}"`) },
);
const names = fc.oneof(strings, fc.constantFrom('"a"', '"b"', '"__proto__"', '""', '"10"', '"9"', '"uid"', '"exp"', '"\\u0000a"'));
const space = fc.constantFrom('', '', '', '', ' ', '\n', '\t\r', '\u00a0', '\f');

/** JSON texts as people and attackers write them: repeated names, odd numbers, odd escapes, odd white space, now and then broken. */
const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    numbers,
    strings,
    fc.constantFrom('true', 'false', 'null', 'True', 'nul'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(space, fc.array(tie('value'), { maxLength: 4 }), fc.constantFrom('', '', '', '', ','))
    .map(([gap, items, comma]) => `[${gap}${items.join(',')}${comma}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }), fc.constantFrom('', '', '', '', '', ','))
    .map(([gap, members, comma]) => `{${members.map(([name, of]) => `${name}${gap}:${of}`).join(',')}${comma}}`),
}));

const objects = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(names, value), { maxLength: 5 })
      .map((members) => `{${members.map(([name, of]) => `${name}:${of}`).join(',')}}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .object({ maxDepth: 3 })
      .map((made) => JSON.stringify(made, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item))),
  },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.integer({ min: 95, max: 105 }).map((depth) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) },
);

/** JSON texts as bytes; now and then bent, so that they may end inside a character. */
export const jsonBytes: fc.Arbitrary<Buffer> = objects.chain((text) => {
  const right = Buffer.from(text, 'utf8');
  return fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: bent(right) });
});

/** Canonical arguments: the canonical text itself is compared. A text that is no Unicode cannot be asked as JSON text, so it is left out. */
export const canonicals: fc.Arbitrary<Draft> = objects
  .filter((json) => json.isWellFormed())
  .map((json) => ({ group: 'canonical', kind: 'canonical', input: { json } }));

const uids = fc.oneof(
  strings,
  numbers,
  fc.constantFrom('"u"', '" u "', '"\\u3000"', '42', '42.0', '1.5', 'null', '[]', `"${'a'.repeat(70)}"`, `"${'a'.repeat(63)}😀"`),
);
const exps = fc.oneof(
  fc.integer({ min: MS / 1000 - 2, max: MS / 1000 + 2 }).map(String),
  numbers,
  fc.constantFrom('"2000000000"', 'null', '2e9'),
);
const claims = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(uids, exps).map(([uid, exp]) => Buffer.from(`{"uid":${uid},"exp":${exp}}`)) },
  {
    weight: 2,
    arbitrary: fc.tuple(uids, exps, names, value).map(([uid, exp, name, of]) => Buffer.from(`{"uid":${uid},${name}:${of},"exp":${exp}}`)),
  },
  { weight: 1, arbitrary: jsonBytes },
  { weight: 1, arbitrary: oddBytes },
);

/** Tickets: mostly with a right mac, so that what is behind it is looked at. */
export const tickets: fc.Arbitrary<Draft> = claims.chain((payload) => {
  const encoded = payload.toString('base64url');
  const right = latin(`v1.${encoded}.${hmacHex(SECRET, latin(encoded))}`);
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constant(right) },
    { weight: 2, arbitrary: bent(right) },
    { weight: 1, arbitrary: oddBytes },
  );
  return text.map((bytes) => ({ group: 'ticket', kind: 'check', now: MS, input: { token: SECRET, ...put('ticket', bytes) } }));
});
