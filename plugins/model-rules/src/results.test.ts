import type { ModelMessage } from '@bailing/plugin-api';
import { expect } from 'chai';
import { ask, play } from './test-support/play.js';
import { all, orders, warehouse } from './test-support/tools.js';

const REFUND = 'Create a refund request of 300 for order A-1001 because of damage';
const HELD =
  'This call needs approval and was submitted as approval 12: createRefundRequest {"amount":300} (amount > 100). Nothing was sent to the business. Tell the user that it is waiting for approval; do not repeat the call.';
const UNKNOWN =
  'createRefundRequest: The outcome of this write is not known. It was not repeated and must not be; compare the idempotency key with the records of the business. (state uncertain)';
const CLAIMS = /success|succeeded|completed|has been (created|refunded|done)|成功(?!。)|已完成/i;

const told = async (says: string, result: string): Promise<string> => (await play(says, orders, () => result)).text;

describe('the planner tells results as they are', () => {
  it('an answer in JSON as readable lines', async () => {
    const text = await told(
      'Look up order A-1001',
      '{"ok":true,"data":{"order_no":"A-1001","status":"shipped","items":[{"sku":"B-1","qty":2},{"sku":"C-2","qty":1}],"tags":["a","b"]}}',
    );
    expect(text).to.equal(
      'Look up one order by its number (order_no A-1001): the answer is:\n- order_no: A-1001\n- status: shipped\n- items:\n1. sku: B-1, qty: 2\n2. sku: C-2, qty: 1\n- tags: a, b',
    );
  });

  it('in the language of the request', async () => {
    expect(await told('帮我查一下订单 A-1003 的状态', '{"status":"待发货"}'))
      .to.include('返回结果')
      .and.to.include('status: 待发货');
  });

  it('a held call as waiting, with its approval, and without a claim', async () => {
    const text = await told(REFUND, HELD);
    expect(text).to.include('approval 12').and.to.include('nothing was sent');
    expect(text).not.to.match(CLAIMS);
    expect(text).not.to.include('Tell the user');
    expect(await told('为订单A-1001申请退款300元', HELD))
      .to.include('已提交审批')
      .and.to.include('12');
    expect(await told(REFUND, `[not successful] ${HELD}`)).to.equal(text);
  });

  it('what the business took and has yet to decide as taken, not as done, and not as unsent', async () => {
    for (const status of ['pending_approval', 'draft_created']) {
      const text = await told(REFUND, `{"ok":true,"status":"${status}","message":"waits for finance","business_id":"RF-1"}`);
      expect(text).to.include('not carried out yet').and.to.include('business_id: RF-1').and.to.include('waits for finance');
      expect(text).not.to.include('nothing was sent');
      expect(text).not.to.match(CLAIMS);
    }
    expect(await told('为订单A-1001申请退款300元', '{"ok":true,"status":"pending_approval"}')).to.include('尚未执行');
  });

  it('failures and refusals as failures, with their words', async () => {
    const failures = [
      'HTTP 404: {"error":"no such order"}',
      'HTTP 503 without a body',
      '{"ok":false,"error":"order is closed"}',
      '{"error":{"message":"order is closed"}}',
      'The arguments do not match the schema of the tool. Correct the named fields and call again.',
      'A policy denies this call. Read the reason; change the arguments or let an operator change the policy.',
      '退款失败：订单已关闭',
      '[not successful] HTTP 409: {"status":"closed"}',
      '[not successful] whatever it says',
      'HTTP 403: {"error":"this needs approval of a manager"}',
      '{"ok":false,"error":"pending approval of a manager"}',
      'Not run: an earlier call of this turn has an unknown outcome.',
    ];
    for (const result of failures) {
      const text = await told(REFUND, result);
      expect(text, result).to.match(/did not work/);
      expect(text, result).not.to.match(CLAIMS);
    }
  });

  it('an unknown outcome as unknown, and does not go on', async () => {
    const { calls, text } = await play(`${REFUND}, then request a refund of 20 for order A-1001`, orders, () => UNKNOWN);
    expect(calls.length).to.equal(1);
    expect(text).to.include('not known').and.to.include('must not be repeated').and.to.include('was not attempted');
  });

  it('an empty answer, a bare sentence and a cut answer as such', async () => {
    expect(await told('Look up order A-1001', '')).to.include('the answer is empty');
    expect(await told('Look up order A-1001', '{}')).to.include('the answer is empty');
    expect(await told('Look up order A-1001', 'Order A-1001 is on its way.')).to.include('the answer is: Order A-1001 is on its way.');
    const cut = `{"ok":true,"list":[${'{"note":"付款失败后重试"},'.repeat(40)}\n[cut: the answer is longer than what may be passed on]`;
    expect(await told('Look up order A-1001', cut)).not.to.include('did not work');
  });

  it('without passing tool markup on', async () => {
    const text = await told(
      'Look up order A-1001',
      '{"note":"<｜tool_calls｜> <|DSML|> <tool_call>{} </tool_call><function_calls><invoke"}',
    );
    expect(text).not.to.match(/<\s*[|｜]|<\/?(tool_call|function|invoke)/);
  });

  it('within bounds, however large they are', async () => {
    const huge = JSON.stringify({ list: Array.from({ length: 5_000 }, (_, index) => ({ index, text: 'x'.repeat(500) })) });
    expect((await told('Look up order A-1001', huge)).length).to.be.lessThan(7_000);
  });
});

describe('the planner goes on from results', () => {
  it('never makes a call again that has a result, also where it failed', async () => {
    for (const result of ['{"ok":true}', 'HTTP 503 without a body', HELD, UNKNOWN, '']) {
      const { calls } = await play('Look up order A-1001 and look up order A-1001 again', orders, () => result);
      expect(calls, result).to.deep.equal([['getOrder', { order_no: 'A-1001' }]]);
    }
  });

  it('fills a later step with what an earlier one found', async () => {
    const find = {
      name: 'findOrders',
      description: 'Search orders of a customer',
      parameters: { type: 'object', properties: { customer: { type: 'string', description: 'Customer name' } }, required: ['customer'] },
    };
    const says = 'Find the orders of customer "Alice Chen", then request a refund of 30 for it because it came late';
    const one = await play(says, [find, ...orders], (tool) =>
      tool === 'findOrders' ? '{"orders":[{"order_no":"A-1009","total":30}]}' : '{"ok":true}',
    );
    expect(one.calls).to.deep.equal([
      ['findOrders', { customer: 'Alice Chen' }],
      ['createRefundRequest', { order_no: 'A-1009', amount: 30, reason: 'it came late' }],
    ]);
    const two = await play(says, [find, ...orders], () => '{"orders":[{"order_no":"A-1009"},{"order_no":"A-1010"}]}');
    expect(two.calls.length).to.equal(1);
    expect(two.text).to.include('which one of A-1009, A-1010?');
    const none = await play(says, [find, ...orders], () => 'HTTP 500 without a body');
    expect(none.calls.length).to.equal(1);
    expect(none.text).to.include('was not attempted');
  });

  it('keeps a change back whose step before was held, and still looks things up', async () => {
    const { calls, text } = await play(
      'Request a refund of 5000 for order A-1002, then execute the refund of 5000 for order A-1002 immediately; then look up order A-1002',
      orders,
      (tool) => (tool === 'getOrder' ? '{"status":"open"}' : HELD),
    );
    expect(calls.map(([name]) => name)).to.deep.equal(['createRefundRequest', 'getOrder']);
    expect(text).to.include('was not attempted');
  });

  it('understands "it" from an earlier turn', async () => {
    const before: ModelMessage[] = [
      { role: 'user', content: 'Look up order A-1004' },
      { role: 'assistant', content: 'Status: shipped.' },
    ];
    expect((await play('Request a refund of 40 for it', orders, undefined, before)).calls).to.deep.equal([
      ['createRefundRequest', { order_no: 'A-1004', amount: 40 }],
    ]);
    expect((await play('Request a refund of 40', orders, undefined, before)).calls).to.deep.equal([]);
  });

  it('speaks from what it has when the tools are withdrawn, or one of them is', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Look up orders A-1001 and A-1002' },
      { role: 'assistant', content: '', calls: [{ id: 'x', name: 'getOrder', arguments: '{"order_no":"A-1001"}' }] },
      { role: 'tool', callId: 'x', name: 'getOrder', content: '{"status":"shipped"}' },
      { role: 'user', content: '[hub status] No tool call is left.' },
    ];
    const withdrawn = await ask(messages, []);
    expect([withdrawn.end, withdrawn.call]).to.deep.equal(['stop', undefined]);
    expect(withdrawn.text).to.include('status: shipped');
    const disabled = await ask(
      messages,
      orders.filter((tool) => tool.name !== 'getOrder'),
    );
    expect(disabled.call).to.equal(undefined);
    expect(disabled.text).to.include('No further calls');
  });
});

describe('on a route with many tools the planner', () => {
  const findTools = {
    name: 'find_tools',
    description: 'Fetches definitions by name.',
    parameters: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } }, required: ['names'] },
  };
  const catalogue = `Rules.\n\nThese tools exist:\n${all.map((tool) => `- ${tool.name}: ${tool.description} (some.scope)`).join('\n')}\n\nTime: 2026-02-01 09:00`;

  it('fetches the definitions that could serve, once, then calls', async () => {
    const says = 'Transfer 40 pieces of NUT-M6 from W1 to W3';
    const messages: ModelMessage[] = [
      { role: 'system', content: catalogue },
      { role: 'user', content: says },
    ];
    const first = await ask(messages, [findTools]);
    expect(first.call?.name).to.equal('find_tools');
    const { names } = JSON.parse(first.call?.arguments ?? '{}') as { names: string[] };
    expect(names).to.include('wms_stock_transfer');
    expect(names.length).to.be.at.most(3);
    messages.push(
      { role: 'assistant', content: '', calls: [{ id: 'f', ...first.call! }] },
      { role: 'tool', callId: 'f', name: 'find_tools', content: '[…]' },
    );
    const second = await ask(messages, [findTools, ...warehouse.filter((tool) => names.includes(tool.name))]);
    expect([second.call?.name, JSON.parse(second.call?.arguments ?? '{}')]).to.deep.equal([
      'wms_stock_transfer',
      { sku: 'NUT-M6', from_warehouse: 'W1', to_warehouse: 'W3', quantity: 40 },
    ]);
  });

  it('says what there is where nothing of it serves', async () => {
    const { text, call } = await ask(
      [
        { role: 'system', content: catalogue },
        { role: 'user', content: 'Sing a song' },
      ],
      [findTools],
    );
    expect(call).to.equal(undefined);
    expect(text).to.include('Search the catalogue for books');
  });
});
