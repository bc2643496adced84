import type { JsonSchema, ModelMessage, ModelTool } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { cases } from './test-support/cases.js';
import { problem } from './test-support/check.js';
import { ask, play } from './test-support/play.js';
import { all } from './test-support/tools.js';

const words = fc.constantFrom(
  ...'look up show create request cancel update order refund room book stock from to for and then because if not do not execute immediately A-1001 RSV20017 W1 C000123 LC-20318 BOLT-M8 300 $12.50 1,200 2026-05-01 tomorrow 15:30 "two words" anna@example.com 13800138000 Maria Lopez 查询 订单 申请 退款 预订 房间 取消 因为 破损 然后 并 不要 如果 三百元 明天 两晚 客人 王小明 的 ， 。 , . ; ? \n （ “ it all every'.split(
    ' ',
  ),
);
const sentence = fc.array(words, { maxLength: 18 }).map((list) => list.join(' '));
const request = fc.tuple(fc.constantFrom(...cases.map(({ says }) => says)), fc.nat(), words).map(([says, at, word]) => {
  const cut = at % (says.length + 1);
  return `${says.slice(0, cut)}${at % 3 === 0 ? ` ${word} ` : ''}${says.slice(cut)}`;
});
const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), sentence, request);

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.constantFrom<JsonSchema>(
    { type: 'string' },
    { type: 'string', pattern: '^[A-Z]-\\d{4}$', description: 'Order number' },
    { type: 'string', maxLength: 8, description: 'Reason' },
    { type: 'string', enum: ['single', 'double', 'suite'] },
    { type: 'number', description: 'Amount' },
    { type: 'integer', minimum: 1, maximum: 500, description: 'Quantity' },
    { type: 'boolean', description: 'Breakfast' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
  ),
  fc.constantFrom<JsonSchema>(
    { type: 'string', description: 'date' },
    { type: 'string', description: '客人姓名' },
    { type: 'string', description: 'keyword' },
  ),
);
const names = fc.constantFrom(
  'order_no',
  'amount',
  'reason',
  'room',
  'guest_name',
  'from',
  'to',
  'quantity',
  'query',
  'q',
  'date',
  '__proto__',
  'constructor',
  'x',
);

function objectOf(member: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  return fc.record({ members: fc.array(fc.tuple(names, member), { maxLength: 5 }), need: fc.nat() }).map(({ members, need }) => {
    const properties = Object.create(null) as Record<string, JsonSchema>;
    for (const [name, schema] of members) properties[name] = schema;
    const required = Object.keys(properties).filter((_, index) => (need >> index) % 2 === 1);
    return { type: 'object', properties, required, additionalProperties: false };
  });
}

const nested = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: objectOf(leaf) },
  { weight: 1, arbitrary: objectOf(leaf).map((items) => ({ type: 'array', items })) },
);
const tool: fc.Arbitrary<ModelTool> = fc.record({
  name: fc.constantFrom('getOrder', 'create_refund', 'cancelOrder', 'book_room', 'search_items', 'moveStock', 'list', 'x'),
  description: fc.oneof(sentence, fc.constantFrom('Look up one order', 'Create a refund', '查询订单', '预订房间', '')),
  parameters: objectOf(nested),
});
const tools = fc.uniqueArray(tool, { maxLength: 6, selector: ({ name }) => name });
const results = fc.oneof(
  fc.constantFrom('{"ok":true}', '{"order_no":"A-1002","amount":5}', '[{"order_no":"A-1"},{"order_no":"A-2"}]', 'HTTP 500', 'ok', ''),
  fc.json(),
  fc.string(),
);

describe('the planner, whatever it is given,', () => {
  it('comes to an end, repeats no call, and calls only offered tools with arguments that fit their schema', async () => {
    await fc.assert(
      fc.asyncProperty(anything, fc.oneof(tools, fc.constant(all)), results, async (says, offered, result) => {
        const { calls, text } = await play(says, offered, () => result);
        expect(text.trim()).not.to.equal('');
        expect(new Set(calls.map((call) => JSON.stringify(call))).size).to.equal(calls.length);
        for (const [name, args] of calls) {
          const schema = offered.find((one) => one.name === name)?.parameters;
          expect(schema, name).not.to.equal(undefined);
          expect(problem(args, schema), `${says} → ${name} ${JSON.stringify(args)} of ${JSON.stringify(schema)}`).to.equal(undefined);
        }
      }),
      { numRuns: 250 },
    );
  });

  it('never throws for schemas that are none, or messages in any order', async () => {
    const odd = fc.record({
      name: fc.string({ maxLength: 8 }),
      description: fc.string({ maxLength: 40 }),
      parameters: fc.oneof(
        fc.boolean(),
        fc.dictionary(
          fc.constantFrom('type', 'properties', 'required', 'items', '$ref', 'allOf', 'oneOf', 'enum', 'pattern', 'default'),
          fc.anything(),
        ),
        fc.constant({ $ref: '#' }),
        fc.constant({
          properties: {
            a: { $ref: '#/properties/a' },
            b: { allOf: [{ $ref: '#/properties/b' }] },
            c: { pattern: '(a+)+$' },
            d: { pattern: '(' },
          },
        }),
      ),
    });
    const message: fc.Arbitrary<ModelMessage> = fc.oneof(
      fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: anything }),
      fc.record({ role: fc.constant('tool' as const), callId: fc.constantFrom('a', 'b'), name: fc.constant('x'), content: results }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: anything,
        calls: fc.array(
          fc.record({ id: fc.constantFrom('a', 'b'), name: fc.constantFrom('x', 'getOrder'), arguments: fc.oneof(fc.json(), fc.string()) }),
          { maxLength: 2 },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), fc.array(odd, { maxLength: 4 }), async (messages, offered) => {
        const answer = await ask(messages, offered);
        expect(answer.call !== undefined || answer.text.trim() !== '').to.equal(true);
      }),
      { numRuns: 250 },
    );
  });

  it('says the same to the same', async () => {
    await fc.assert(
      fc.asyncProperty(sentence, async (says) => {
        const messages: ModelMessage[] = [{ role: 'user', content: says }];
        expect(await ask(messages, [...all])).to.deep.equal(await ask(messages, [...all]));
      }),
      { numRuns: 60 },
    );
  });

  it('is quick, also for long inputs and two thousand tools', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      ...(all[index % all.length] as ModelTool),
      name: `tool_${String(index)}`,
    }));
    const before = process.cpuUsage();
    await ask([{ role: 'user', content: 'Look up order A-1001 and then request a refund of 300 because it arrived damaged' }], many);
    await ask([{ role: 'user', content: 'and then look up A-1 because "x; '.repeat(400) }], all);
    await ask([{ role: 'user', content: '因为'.repeat(2_000) }], all);
    await ask([{ role: 'user', content: `${'a'.repeat(3_000)}! ${'1,'.repeat(500)}` }], all);
    // Work, not time: other processes may have the cores.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).to.be.lessThan(4_000);
  });
});
