import { expect } from 'chai';
import type { CompiledTool } from '../../catalog/index.js';
import { Refusal } from '../refusal.js';
import { argumentsFence, parseArguments } from './arguments.js';

function reason(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
  return 'passed';
}

const parse = (text: string) => parseArguments({ tool: 't', arguments: text });

describe('fence: arguments', () => {
  it('reads absent, empty and null arguments as no arguments', () => {
    for (const text of ['', '  ', '{}', 'null']) expect(parse(text)).to.deep.equal({});
    expect(parseArguments({ tool: 't', arguments: { value: undefined } })).to.deep.equal({});
  });

  it('refuses arrays, scalars, doubly encoded text and two glued objects', () => {
    for (const text of ['[]', '1', '"x"', '"{\\"a\\":1}"', '{"a":1}{"b":2}', '{"a":1', 'a=1'])
      expect(
        reason(() => parse(text)),
        text,
      ).to.equal('tool_args_not_json_object');
    expect(reason(() => parseArguments({ tool: 't', arguments: { value: [1] } }))).to.equal('tool_args_not_json_object');
  });

  it('refuses what would be changed by reading it: duplicate keys and rounded integers', () => {
    expect(reason(() => parse('{"a":1,"a":2}'))).to.equal('tool_args_not_json_object');
    expect(reason(() => parse('{"id":12345678901234567890}'))).to.equal('tool_args_not_json_object');
    expect(reason(() => parseArguments({ tool: 't', arguments: { value: { a: '\ud800' } } }))).to.equal('tool_args_not_json_serializable');
  });

  it('coerces nothing: text stays text', () => {
    expect(parse('{"n":"50","b":"false"}')).to.deep.equal({ n: '50', b: 'false' });
  });

  it('keeps the order in which members were written: a query goes out in it', () => {
    expect(Object.keys(parse('{"order_no":"A","b":1,"a":2}'))).to.deep.equal(['order_no', 'b', 'a']);
  });

  it('freezes the value all the way down', () => {
    const args = parse('{"a":{"b":[1]}}') as { a: { b: number[] } };
    expect(() => args.a.b.push(2)).to.throw(TypeError);
  });

  it('names the fields that do not match, and fails closed on an unusable schema', () => {
    const tool = (check: CompiledTool['check']) => ({ definition: {}, check }) as CompiledTool;
    expect(reason(() => argumentsFence({}, [tool(() => [{ at: 'amount', says: 'is missing' }])]))).to.equal('tool_args_schema_invalid');
    expect(reason(() => argumentsFence({}, [tool(() => [])]))).to.equal('passed');
    const broken = tool(() => {
      throw new Error('no');
    });
    expect(reason(() => argumentsFence({}, [broken]))).to.equal('tool_schema_unusable');
  });
});
