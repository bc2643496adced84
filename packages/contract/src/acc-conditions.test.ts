import { expect } from 'chai';
import type { AccCondition } from './acc-declaration.js';
import { checkConditions, paramTypes } from './acc-conditions.js';

const input = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    count: { type: ['integer', 'null'] },
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    order: { type: 'object', properties: { lines: { type: 'array' }, customer: { $ref: '#/$defs/Customer' } } },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    merged: { allOf: [{ $ref: '#/$defs/Customer' }, { type: 'object', properties: { vip: { type: 'boolean' } } }] },
    choice: { enum: ['a', 'b'] },
    level: { type: 'string', enum: ['low', 'high'] },
    'a.b': { type: 'boolean' },
  },
  $defs: { Customer: { type: 'object', properties: { id: { type: 'string' }, self: { $ref: '#/$defs/Customer' } } } },
};
const types = (param: string) => [...(paramTypes(input, param).types ?? [])];
const codes = (condition: AccCondition) => checkConditions([condition], input).map((p) => `${p.severity} ${p.code} ${p.pointer}`);

describe('conditions of approval.when against an input schema', () => {
  it('finds an argument by a dot path through objects, references and allOf, and never inside arrays', () => {
    expect(types('amount')).to.deep.equal(['number']);
    expect(types('count')).to.have.members(['integer', 'null']);
    expect(types('order.customer.id')).to.deep.equal(['string']);
    expect(types('order.customer.self.self.id')).to.deep.equal(['string']);
    expect(types('merged.vip')).to.deep.equal(['boolean']);
    expect(types('merged.id')).to.deep.equal(['string']);
    expect(types('maybe')).to.have.members(['integer', 'null']);
    expect(types('a.b')).to.deep.equal(['boolean']);
    for (const param of ['nothing', 'order.lines.0', 'tags.length', 'constructor', 'order.customer.toString'])
      expect(paramTypes(input, param).found, param).to.equal(false);
    expect(paramTypes(undefined, 'x').found).to.equal(false);
  });

  const cases: [AccCondition, string[]][] = [
    [{ param: 'amount', op: '>', value: 10 }, []],
    [{ param: 'count', op: '>=', value: 10 }, []],
    [{ param: 'count', op: '==', value: null }, []],
    [{ param: 'tags', op: 'contains', value: 'x' }, []],
    [{ param: 'note', op: 'contains', value: 'x' }, []],
    [{ param: 'note', op: 'in', value: ['a', 'b'] }, []],
    [{ param: 'order', op: 'exists' }, []],
    [{ param: 'missing', op: 'exists' }, ['error confirm_when_param_missing_schema /approval/when/0/param']],
    [{ param: 'choice', op: '==', value: 'a' }, ['error confirm_when_param_untyped /approval/when/0/param']],
    [{ param: 'note', op: '>', value: 1 }, ['error confirm_when_numeric_type /approval/when/0/op']],
    [{ param: 'note', op: 'in', value: ['a', 1] }, ['error confirm_when_in_type /approval/when/0/value']],
    [{ param: 'amount', op: 'contains', value: 1 }, ['error confirm_when_contains_type /approval/when/0/op']],
    [{ param: 'note', op: 'contains', value: 1 }, ['error confirm_when_contains_type /approval/when/0/value']],
    [{ param: 'amount', op: '==', value: '10' }, ['error confirm_when_value_type /approval/when/0/value']],
    [{ param: 'count', op: '!=', value: 1.5 }, ['error confirm_when_value_type /approval/when/0/value']],
    [{ param: 'amount', op: '==', value: null }, ['error confirm_when_value_type /approval/when/0/value']],
    [{ param: 'level', op: '==', value: 'hgih' }, ['warning confirm_when_value_never /approval/when/0/value']],
    [{ param: 'level', op: 'in', value: ['high', 'low'] }, []],
  ];
  for (const [condition, expected] of cases)
    it(`${expected.length === 0 ? 'accepts' : 'remarks on'} ${condition.param} ${condition.op} ${JSON.stringify(condition.value) ?? ''}`, () => {
      expect(codes(condition)).to.deep.equal(expected);
    });

  it('ends on definitions that refer to each other in a circle', () => {
    const circle = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } };
    expect(paramTypes(circle, 'a')).to.deep.include({ found: true });
    const all = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }] } } };
    expect(paramTypes(all, 'a').types).to.equal(undefined);
  });
});
