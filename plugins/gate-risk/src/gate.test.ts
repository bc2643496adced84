import type { ConfirmCondition, GovernedCall, ToolDefinition, Verdict } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { riskGate } from './gate.js';

const INPUT = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    count: { type: 'integer' },
    note: { type: 'string', nullable: true },
    tags: { type: 'array', items: { type: 'string' } },
    to: { type: 'object', properties: { tenant: { $ref: '#/$defs/tenant' } } },
    loose: {},
  },
  $defs: { tenant: { type: ['string', 'null'] } },
};

function call(args: Record<string, unknown>, tool: Partial<ToolDefinition> = {}): GovernedCall {
  const base = { name: 'refund', provider: 'orders', risk: 'medium', confirmRequired: false, confirmWhen: [], input: INPUT };
  const definition = { ...base, ...tool } as unknown as ToolDefinition;
  const job = { id: 'j', requestId: 'r', route: 'x', client: 'c', source: 'c' };
  return { job, subject: '', tool: definition, provider: { name: 'orders', ratePerMin: 0 }, args, argsHash: '' };
}

function judge(args: Record<string, unknown>, ...confirmWhen: ConfirmCondition[]): Verdict {
  return riskGate.judge(call(args, { confirmWhen }), new AbortController().signal) as Verdict;
}

const OVER: ConfirmCondition = { param: 'amount', op: '>', value: 1000 };

describe('gate-risk', () => {
  it('lets low and medium pass and holds high and required, high first', () => {
    const verdict = (tool: Partial<ToolDefinition>) => riskGate.judge(call({ amount: 5000 }, tool), new AbortController().signal);
    expect(verdict({ risk: 'low' })).to.deep.equal({ is: 'allow' });
    expect(verdict({ risk: 'medium' })).to.deep.equal({ is: 'allow' });
    expect(verdict({ risk: 'high', confirmRequired: true, confirmWhen: [OVER] })).to.include({
      is: 'hold',
      policy: 'risk_high',
      reason: 'risk=high',
    });
    expect(verdict({ confirmRequired: true, confirmWhen: [OVER] })).to.include({ policy: 'confirm_required', reason: 'confirm-required' });
    expect(verdict({ confirmWhen: [OVER] })).to.deep.include({
      policy: 'confirm_when',
      reason: 'confirm_when: amount > 1000',
      condition: { param: 'amount', op: '>', value: 1000, actual: 5000, reason: 'confirm_when: amount > 1000' },
    });
  });

  it('compares at the border exactly', () => {
    const is = (amount: number, op: ConfirmCondition['op']) => judge({ amount }, { param: 'amount', op, value: 1000 }).is;
    expect([is(1000, '>'), is(1000, '>='), is(1000, '<'), is(1000, '<='), is(1000.01, '>')]).to.deep.equal([
      'allow',
      'hold',
      'allow',
      'hold',
      'hold',
    ]);
  });

  it('refuses a wrong JSON type instead of reading it as not matching', () => {
    for (const amount of ['5000', true, null, [5000], {}]) {
      expect(judge({ amount }, OVER), JSON.stringify(amount)).to.include({ is: 'deny', code: 'confirm_when_argument_type:amount' });
    }
    expect(judge({ count: 1.5 }, { param: 'count', op: '>', value: 1 })).to.include({ is: 'deny' });
  });

  it('refuses where the schema cannot say', () => {
    expect(judge({}, { param: 'nowhere', op: 'exists' })).to.include({ is: 'deny', code: 'confirm_when_missing_schema:nowhere' });
    expect(judge({ loose: 1 }, { param: 'loose', op: 'exists' })).to.include({ is: 'deny', code: 'confirm_when_untyped_schema:loose' });
    expect(judge({ note: 'x' }, { param: 'note', op: 'in', value: 'x' })).to.include({ is: 'deny', code: 'confirm_when_invalid_in:note' });
  });

  it('refuses an unjudgeable condition even where risk alone would have held', () => {
    const verdict = riskGate.judge(call({ amount: 'x' }, { risk: 'high', confirmWhen: [OVER] }), new AbortController().signal);
    expect(verdict).to.include({ is: 'deny' });
  });

  it('treats absent arguments as the contract says', () => {
    expect(judge({}, OVER).is).to.equal('allow');
    expect(judge({}, { param: 'note', op: '==', value: 'x' }).is).to.equal('allow');
    expect(judge({}, { param: 'note', op: '!=', value: 'x' }).is).to.equal('hold');
    expect(judge({}, { param: 'note', op: 'in', value: ['x'] }).is).to.equal('allow');
    expect(judge({ note: null }, { param: 'note', op: 'exists' }).is).to.equal('allow');
    expect(judge({ note: '' }, { param: 'note', op: 'exists' }).is).to.equal('hold');
  });

  it('looks into objects by a dot path and follows references', () => {
    const condition: ConfirmCondition = { param: 'to.tenant', op: '!=', value: 't1' };
    expect(judge({ to: { tenant: 't1' } }, condition).is).to.equal('allow');
    expect(judge({ to: { tenant: 't2' } }, condition).is).to.equal('hold');
    expect(judge({ to: { tenant: 7 } }, condition).is).to.equal('deny');
    expect(judge({ tags: ['a', 'vip'] }, { param: 'tags', op: 'contains', value: 'vip' }).is).to.equal('hold');
    expect(judge({ note: 'a vip' }, { param: 'note', op: 'contains', value: 'vip' }).is).to.equal('hold');
  });

  it('never lets an argument above the threshold pass, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (amount) => {
        const { is } = judge({ amount }, OVER);
        expect(is).to.equal(typeof amount === 'number' ? (amount > 1000 ? 'hold' : 'allow') : 'deny');
      }),
    );
  });
});
