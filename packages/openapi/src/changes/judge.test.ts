import { expect } from 'chai';
import fc from 'fast-check';
import { compileDocument } from '../compile.js';
import { capability, documentOf, jsonBody, oneOperation, query } from '../test-support/document.js';
import { judgeChanges, type JudgeOptions } from './judge.js';

type Members = Record<string, unknown>;
const base = jsonBody({
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', maximum: 100, description: 'Said' },
    kind: { type: 'string', enum: ['a', 'b'], description: 'Said' },
  },
});
const drafts = (text: string) => {
  const report = compileDocument(text);
  if (report.drafts.length === 0) throw new Error(JSON.stringify(report.operations));
  return report.drafts;
};
const withAcc = (more: Members) => drafts(oneOperation({ ...base, 'x-agent-capability': capability(more) }));
const withBody = (schema: unknown, components: Members = {}) => drafts(oneOperation(jsonBody(schema), { components }));
const judge = (before: ReturnType<typeof drafts>, after: ReturnType<typeof drafts>, options?: JudgeOptions) =>
  judgeChanges(before, after, options).map((fact) =>
    [fact.direction, fact.code, ...(fact.param === undefined ? [] : [fact.param])].join(' '),
  );

/** What going from one to the other says, and what going back says. */
type Case = [title: string, before: Members, after: Members, forth: string[], back: string[]];

describe('changes of a declaration', () => {
  const when = (...conditions: unknown[]): Members => ({ approval: { when: conditions } });
  const cases: Case[] = [
    ['the risk', { risk: { level: 'high' } }, { risk: { level: 'low' } }, ['looser risk_lowered'], ['tighter risk_raised']],
    ['the approval', { approval: { required: true } }, {}, ['looser approval_dropped'], ['tighter approval_added']],
    ['the subject', { subject: { required: true } }, {}, ['looser subject_required_dropped'], ['tighter subject_required_added']],
    ['the audit', { audit: { sensitive: true } }, {}, ['looser audit_sensitive_dropped'], ['tighter audit_sensitive_added']],
    ['read-only', {}, { risk: { level: 'medium' }, execution: { readonly: true } }, ['looser write_dropped'], ['tighter write_added']],
    ['idempotent', {}, { execution: { idempotent: true } }, ['looser once_only_dropped'], ['tighter once_only_added']],
    [
      'a condition',
      when({ param: 'amount', op: '>', value: 10 }),
      {},
      ['looser approval_condition_dropped amount'],
      ['tighter approval_condition_added amount'],
    ],
    [
      'a threshold',
      when({ param: 'amount', op: '>', value: 10 }),
      when({ param: 'amount', op: '>', value: 20 }),
      ['looser approval_condition_narrowed amount'],
      ['tighter approval_condition_widened amount'],
    ],
    [
      'a lower threshold',
      when({ param: 'amount', op: '<', value: 10 }),
      when({ param: 'amount', op: '<', value: 20 }),
      ['tighter approval_condition_widened amount'],
      ['looser approval_condition_narrowed amount'],
    ],
    [
      'a list of values',
      when({ param: 'kind', op: 'in', value: ['a', 'b'] }),
      when({ param: 'kind', op: 'in', value: ['a'] }),
      ['looser approval_condition_narrowed kind'],
      ['tighter approval_condition_widened kind'],
    ],
    [
      'another comparison',
      when({ param: 'kind', op: '==', value: 'a' }),
      when({ param: 'kind', op: '!=', value: 'a' }),
      ['looser approval_condition_dropped kind', 'tighter approval_condition_added kind'],
      ['looser approval_condition_dropped kind', 'tighter approval_condition_added kind'],
    ],
    [
      'a rate limit',
      { execution: { rate_limit: { count: 5, window: '1m' } } },
      {},
      ['looser rate_limit_dropped'],
      ['tighter rate_limit_added'],
    ],
    [
      'a higher rate limit',
      { execution: { rate_limit: { count: 5, window: '1m' } } },
      { execution: { rate_limit: { count: 5, window: '1s' } } },
      ['looser rate_limit_raised'],
      ['tighter rate_limit_lowered'],
    ],
    [
      'a burst at the same rate',
      { execution: { rate_limit: { count: 1, window: '1m' } } },
      { execution: { rate_limit: { count: 60, window: '1h' } } },
      ['looser rate_limit_raised'],
      ['tighter rate_limit_lowered'],
    ],
    ['the time limit', { execution: { timeout_ms: 5 } }, {}, ['neutral timeout_changed'], ['neutral timeout_changed']],
    ['the prompt', { approval: { prompt: 'A' } }, { approval: { prompt: 'B' } }, ['neutral prompt_changed'], ['neutral prompt_changed']],
    [
      'the label of a condition',
      when({ param: 'kind', op: '==', value: 'a', label: 'x' }),
      when({ param: 'kind', op: '==', value: 'a', label: 'y' }),
      [],
      [],
    ],
    ['the guidance', { guidance: { returns: 'a' } }, { guidance: { returns: 'b' } }, ['neutral words_changed'], ['neutral words_changed']],
    ['the scope, with no allow list at hand', { scope: 'a.b' }, { scope: 'a.c' }, ['looser scope_moved'], ['looser scope_moved']],
  ];
  for (const [title, before, after, forth, back] of cases)
    it(`judge ${title}`, () => {
      expect(judge(withAcc(before), withAcc(after))).to.deep.equal(forth);
      expect(judge(withAcc(after), withAcc(before))).to.deep.equal(back);
    });

  it('judge a moved scope by what the allow lists reach', () => {
    const [a, b] = [withAcc({ scope: 'order.read' }), withAcc({ scope: 'admin.read' })];
    expect(judge(a, b, { allow: ['order.*'] })).to.deep.equal(['tighter scope_moved']);
    expect(judge(b, a, { allow: ['order.*'] })).to.deep.equal(['looser scope_moved']);
    expect(judge(a, b, { allow: ['*'] })).to.deep.equal(['neutral scope_moved']);
  });
});

describe('changes of arguments', () => {
  const object = (properties: Members, more: Members = {}): Members => ({ type: 'object', properties, ...more });
  const cases: Case[] = [
    [
      'an enum',
      object({ a: { enum: ['x', 'y'] } }),
      object({ a: { enum: ['y', 'z'] } }),
      ['looser enum_widened a'],
      ['looser enum_widened a'],
    ],
    [
      'a shorter enum',
      object({ a: { enum: ['x', 'y'] } }),
      object({ a: { enum: ['x'] } }),
      ['tighter enum_narrowed a'],
      ['looser enum_widened a'],
    ],
    [
      'an enum that is gone',
      object({ a: { type: 'string', enum: ['x'] } }),
      object({ a: { type: 'string' } }),
      ['looser enum_widened a'],
      ['tighter enum_narrowed a'],
    ],
    ['an enum in another order', object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['y', 'x'] } }), [], []],
    ['a maximum', object({ a: { maximum: 5 } }), object({ a: { maximum: 9 } }), ['looser range_widened a'], ['tighter range_narrowed a']],
    ['a minimum', object({ a: { minimum: 5 } }), object({ a: { minimum: 9 } }), ['tighter range_narrowed a'], ['looser range_widened a']],
    [
      'a length limit that is gone',
      object({ a: { maxLength: 5 } }),
      object({ a: {} }),
      ['looser range_widened a'],
      ['tighter range_narrowed a'],
    ],
    ['required', object({ a: {} }, { required: ['a'] }), object({ a: {} }), ['looser required_removed a'], ['tighter required_added a']],
    ['an argument', object({ a: {} }), object({ a: {}, b: {} }), ['looser argument_added b'], ['tighter argument_removed b']],
    [
      'a type',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'number' } }),
      ['looser type_widened a'],
      ['tighter type_narrowed a'],
    ],
    [
      'another type',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'string' } }),
      ['looser type_widened a'],
      ['looser type_widened a'],
    ],
    ['a pattern', object({ a: { pattern: '^a$' } }), object({ a: {} }), ['looser pattern_dropped a'], ['tighter pattern_added a']],
    [
      'another pattern',
      object({ a: { pattern: '^a$' } }),
      object({ a: { pattern: '^b$' } }),
      ['looser pattern_changed a'],
      ['looser pattern_changed a'],
    ],
    [
      'words',
      object({ a: { description: 'x' } }),
      object({ a: { description: 'y' } }),
      ['neutral words_changed a'],
      ['neutral words_changed a'],
    ],
    [
      'items',
      object({ a: { type: 'array', items: { maximum: 1 } } }),
      object({ a: { type: 'array', items: { maximum: 2 } } }),
      ['looser range_widened a[]'],
      ['tighter range_narrowed a[]'],
    ],
    [
      'an inner object that closes',
      object({ a: { type: 'object' } }),
      object({ a: { type: 'object', additionalProperties: false } }),
      ['tighter schema_closed a.*'],
      ['looser schema_opened a.*'],
    ],
    [
      'an inner member of an open object',
      object({ a: object({}) }),
      object({ a: object({ b: { type: 'string' } }) }),
      ['tighter argument_added a.b'],
      ['looser argument_removed a.b'],
    ],
    [
      'a branch',
      object({ a: { anyOf: [{ maximum: 1 }, { minimum: 5 }] } }),
      object({ a: { anyOf: [{ maximum: 2 }, { minimum: 5 }] } }),
      ['looser range_widened a'],
      ['tighter range_narrowed a'],
    ],
    [
      'a rule that is not judged',
      object({ a: { not: { type: 'null' } } }),
      object({ a: { not: { type: 'string' } } }),
      ['looser schema_changed a'],
      ['looser schema_changed a'],
    ],
  ];
  for (const [title, before, after, forth, back] of cases)
    it(`judge ${title}`, () => {
      expect(judge(withBody(before), withBody(after))).to.deep.equal(forth);
      expect(judge(withBody(after), withBody(before))).to.deep.equal(back);
    });

  it('judge what stands behind references and in circles, beside words or under rules', () => {
    const node = (maximum: number): Members => ({
      schemas: {
        N: {
          type: 'object',
          properties: { v: { type: 'number', maximum }, next: { $ref: '#/components/schemas/N', description: 'More' } },
        },
      },
    });
    const schema = object({ n: { $ref: '#/components/schemas/N' } });
    expect(judge(withBody(schema, node(1)), withBody(schema, node(2)))).to.include('looser range_widened n.v');
    expect(judge(withBody(schema, node(1)), withBody(schema, node(1)))).to.deep.equal([]);
    const ruled = object({ a: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/N' }] } });
    expect(judge(withBody(ruled, node(1)), withBody(ruled, node(2)))).to.deep.equal(['looser schema_changed a']);
  });
});

describe('changes of the set of tools', () => {
  const operation = (scope: string): Members => ({ summary: 'Find the things', 'x-agent-capability': capability({ scope }) });
  const two = (more: Members): ReturnType<typeof drafts> =>
    drafts(documentOf({ '/a': { get: { operationId: 'a', ...operation('order.read') } }, ...more }));
  it('are looser where an allow list that stood before reaches a new tool', () => {
    const [one, both] = [two({}), two({ '/b': { get: { operationId: 'b', ...operation('order.list') } } })];
    expect(judge(one, both)).to.deep.equal(['neutral tool_added']);
    expect(judge(one, both, { allow: ['order.*'] })).to.deep.equal(['looser tool_added']);
    expect(judge(one, both, { allow: ['order.read', 'orders.*'] })).to.deep.equal(['neutral tool_added']);
    expect(judge(both, one)).to.deep.equal(['tighter tool_removed']);
  });

  it('are looser where a name comes to call another request, server or base URL', () => {
    const one = (method: string, path: string, more: Members = {}) => drafts(oneOperation({ ...base, ...more }, { method, path }));
    expect(judge(one('post', '/a'), one('put', '/a'))).to.deep.equal(['looser endpoint_changed']);
    expect(judge(one('post', '/a'), one('post', '/a', { servers: [{ url: '/admin' }] }))).to.deep.equal(['looser server_changed']);
    expect(judge(two({}), two({}), { baseUrl: { before: 'https://a', after: 'https://b' } })).to.deep.equal(['looser base_url_changed']);
  });

  it('name an argument that is sent in another form', () => {
    const form = (more: Members) => drafts(oneOperation({ parameters: [query('q', { type: 'array' }, more)] }, { method: 'get' }));
    expect(judge(form({}), form({ style: 'form' }))).to.deep.equal(['looser argument_moved q']);
  });

  it('say nothing where nothing changed, whatever the tools are', () => {
    const property = fc.record({ type: fc.constantFrom('string', 'integer', 'array', 'object'), description: fc.string() });
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), property, { maxKeys: 5 }), (properties) => {
        const text = oneOperation(jsonBody({ type: 'object', properties }));
        expect(judge(drafts(text), drafts(text))).to.deep.equal([]);
      }),
      { numRuns: 50 },
    );
  });
});
