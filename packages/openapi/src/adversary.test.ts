import { expect } from 'chai';
import { compileDocument } from './compile.js';
import { capability, documentOf, jsonBody, query } from './test-support/document.js';

type Members = Record<string, unknown>;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const ref = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

/** Operations that all send or take the same thing. */
function operations(count: number, part: (i: number) => Members): Members {
  return Object.fromEntries(
    times(count, (i) => [
      `/p${i}`,
      { post: { operationId: `op_${i}`, summary: 'Do the thing at hand', 'x-agent-capability': capability(), ...part(i) } },
    ]),
  );
}

/** Milliseconds of processor time, which other work on the machine does not stretch. */
function cpuOf(text: string): { ms: number; tools: number; operations: number } {
  const before = process.cpuUsage();
  const { drafts, operations: all } = compileDocument(text, { lint: true });
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, tools: drafts.length, operations: all.length };
}

/** Each level refers to the next ten times over. */
const tower = (levels: number, combine: string): Members =>
  Object.fromEntries(
    times(levels, (i) => [`T${i}`, i === levels - 1 ? { type: 'string' } : { [combine]: times(10, () => ref(`T${i + 1}`)) }]),
  );

describe('a document made to be slow', () => {
  const cases: [string, () => string][] = [
    [
      'a parameter whose choices multiply at every level',
      () =>
        documentOf(
          operations(50, () => ({ parameters: [query('q', ref('T0'))] })),
          { schemas: tower(14, 'oneOf') },
        ),
    ],
    [
      'a body whose allOf multiplies at every level',
      () =>
        documentOf(
          operations(50, () => jsonBody(ref('T0'))),
          { schemas: tower(14, 'allOf') },
        ),
    ],
    [
      'rules over a body that multiply at every level',
      () =>
        documentOf(
          operations(50, () => jsonBody({ type: 'object', properties: { a: {} }, anyOf: [ref('T0'), ref('T0')] })),
          { schemas: tower(14, 'anyOf') },
        ),
    ],
    [
      'a body of 20,000 members that 1,000 operations share',
      () =>
        documentOf(
          operations(1_000, () => jsonBody(ref('Wide'))),
          { schemas: { Wide: { type: 'object', properties: Object.fromEntries(times(20_000, (i) => [`m${i}`, { type: 'string' }])) } } },
        ),
    ],
    [
      'a parameter with 20,000 references that 1,000 operations share',
      () =>
        documentOf(
          operations(1_000, () => ({ parameters: [{ $ref: '#/components/parameters/Wide' }] })),
          {
            parameters: { Wide: query('q', { anyOf: times(20_000, (i) => ref(`S${i % 1_000}`)) }) },
            schemas: Object.fromEntries(
              times(1_000, (i) => [`S${i}`, { type: 'object', properties: { next: ref(`S${(i + 1) % 1_000}`) } }]),
            ),
          },
        ),
    ],
    [
      'a schema with 5,000 bad patterns that 1,000 operations share',
      () =>
        documentOf(
          operations(1_000, () => jsonBody({ type: 'object', properties: { a: ref('Bad') } })),
          {
            schemas: {
              Bad: {
                type: 'object',
                properties: Object.fromEntries(times(5_000, (i) => [`m${i}`, { type: 'string', pattern: `(?<bad${i % 7}` }])),
              },
            },
          },
        ),
    ],
    [
      'an enum of 4,000 values that is used 3,000 times',
      () =>
        documentOf(
          operations(100, () => jsonBody({ type: 'object', properties: Object.fromEntries(times(30, (i) => [`m${i}`, ref('Long')])) })),
          { schemas: { Long: { type: 'string', enum: times(4_000, (i) => `value number ${i}`) } } },
        ),
    ],
    [
      'words of 100,000 characters that are used everywhere',
      () =>
        documentOf(
          operations(500, () => jsonBody({ type: 'object', properties: { a: ref('W'), b: ref('W'), c: ref('W') } })),
          { schemas: { W: { type: 'string', description: 'x'.repeat(100_000) } } },
        ),
    ],
    [
      '10,000 parameters of one operation',
      () => documentOf(operations(1, () => ({ parameters: times(10_000, (i) => query(`q${i}`, { type: 'string' })) }))),
    ],
    [
      'one name claimed by 10,000 operations',
      () => documentOf(operations(10_000, () => ({ operationId: 'same', ...jsonBody({ type: 'object' }) }))),
    ],
    [
      'a member written twice 3,000 times',
      () =>
        documentOf(operations(2_000, () => jsonBody({ type: 'object' }))).replace(
          '"components": {}',
          `"x-a": {${times(3_000, (i) => `"k${i}": 1, "k${i}": 2`).join(',')}}`,
        ),
    ],
    [
      'a path of 100,000 braces',
      () => documentOf({ [`/${'{a}'.repeat(50_000)}${'{'.repeat(50_000)}`]: { get: { 'x-agent-capability': capability() } } }),
    ],
  ];
  for (const [what, make] of cases)
    it(`is done with in time: ${what}`, function () {
      this.timeout(60_000);
      const { ms, operations: all } = cpuOf(make());
      expect(all).to.be.greaterThan(0);
      expect(ms).to.be.lessThan(3_000);
    });
});
