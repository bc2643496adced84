import type { GovernedCall, Verdict } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Rule } from './config.js';
import { parametersGate } from './gate.js';

function judge(rule: Rule, args: Record<string, unknown>, subject = 't1:ada'): Verdict {
  const call = {
    job: { route: 'r' },
    subject,
    tool: { name: 'tool' },
    provider: { name: 'p', ratePerMin: 0 },
    args,
  } as unknown as GovernedCall;
  return parametersGate([rule]).judge(call, new AbortController().signal) as Verdict;
}

describe('gate-parameters', () => {
  it("holds an argument that names a tenant other than the subject's", () => {
    const rule: Rule = { tenant: { params: ['tenant_id', 'to.tenant'], separator: ':', verdict: 'deny' } };
    expect(judge(rule, { tenant_id: 't1' }).is).to.equal('allow');
    expect(judge(rule, {}).is).to.equal('allow');
    expect(judge(rule, { tenant_id: 't2' })).to.include({ is: 'deny', code: 'parameters_cross_tenant:tenant_id' });
    expect(judge(rule, { tenant_id: ['t1', 't2'] }).is).to.equal('deny');
    expect(judge(rule, { to: { tenant: 't2' } }).is).to.equal('deny');
    expect(judge(rule, { tenant_id: 't1' }, 'nobody').is).to.equal('deny');
    expect(judge(rule, { tenant_id: { $ne: 1 } }).is).to.equal('deny');
  });

  it('asks about messages through the channels it names, and about nothing else', () => {
    const rule: Rule = { channels: ['mail'], external: { params: ['to'], inside: ['example.com'], verdict: 'hold' } };
    const call = (name: string, channel: string) =>
      ({
        ...{ job: { route: 'r' }, subject: '', provider: { name: 'builtin' } },
        tool: { name },
        args: { channel, to: ['eve@else.org'] },
      }) as unknown as GovernedCall;
    const is = (name: string, channel: string) =>
      (parametersGate([rule]).judge(call(name, channel), new AbortController().signal) as Verdict).is;
    expect([is('send_message', 'mail'), is('send_message', 'chat'), is('other', 'mail')]).to.deep.equal(['hold', 'allow', 'allow']);
  });

  it('finds sensitive fields at any depth', () => {
    const rule: Rule = { sensitive: { params: ['salary', 'bank.iban'], verdict: 'hold' } };
    expect(judge(rule, { name: 'x', salary_note: 'y' }).is).to.equal('allow');
    expect(judge(rule, { list: [{ deep: { salary: 1 } }] })).to.include({ is: 'hold', policy: 'parameters_sensitive_field' });
    expect(judge(rule, { bank: { iban: 'x' } }).is).to.equal('hold');
    expect(judge(rule, { iban: 'x' }).is).to.equal('allow');
  });

  it('holds above a count or an amount, at the border exactly, and denies what it cannot judge', () => {
    const count: Rule = { count: { params: ['ids'], above: 2, verdict: 'hold' } };
    expect([[1, 2], [1, 2, 3], 2, 3, '3'].map((ids) => judge(count, { ids }).is)).to.deep.equal(['allow', 'hold', 'allow', 'hold', 'deny']);
    const amount: Rule = { amount: { params: ['amount'], above: 1000, verdict: 'hold' } };
    expect([1000, 1000.01, -2000, '2000', null].map((value) => judge(amount, { amount: value }).is)).to.deep.equal([
      'allow',
      'hold',
      'hold',
      'deny',
      'allow',
    ]);
  });

  it('holds a message that leaves the house', () => {
    const rule: Rule = { external: { params: ['to', 'webhook'], inside: ['example.com'], verdict: 'hold' } };
    const is = (to: unknown) => judge(rule, { to }).is;
    expect(is('a@example.com, b@mail.EXAMPLE.com')).to.equal('allow');
    expect(is('a@example.com;b@else.org')).to.equal('hold');
    expect(is('a@example.com.evil.org')).to.equal('hold');
    expect(is('a@evil-example.com')).to.equal('hold');
    expect(is('just a name')).to.equal('hold');
    expect(is(7)).to.equal('deny');
    expect(judge(rule, { webhook: 'https://hooks.example.com/x' }).is).to.equal('allow');
    expect(judge(rule, { webhook: 'https://example.com@evil.org/x' }).is).to.equal('hold');
  });

  it('applies only where it is configured to', () => {
    const rule: Rule = { amount: { params: ['amount'], above: 1, verdict: 'hold' } };
    expect(judge({ ...rule, providers: ['other'] }, { amount: 5 }).is).to.equal('allow');
    expect(judge({ ...rule, routes: ['r'], tools: ['tool'] }, { amount: 5 }).is).to.equal('hold');
  });

  it('never throws and never says anything but allow, hold or deny', () => {
    const rule: Rule = {
      tenant: { params: ['a'], separator: ':', verdict: 'hold' },
      sensitive: { params: ['b'], verdict: 'hold' },
      count: { params: ['c'], above: 1, verdict: 'hold' },
      amount: { params: ['a.b'], above: 1, verdict: 'deny' },
      external: { params: ['b'], inside: ['x'], verdict: 'hold' },
    };
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()), fc.string(), (args, subject) => {
        expect(judge(rule, args, subject).is).to.be.oneOf(['allow', 'hold', 'deny']);
      }),
    );
  });
});
