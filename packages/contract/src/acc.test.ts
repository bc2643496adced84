import { expect } from 'chai';
import fc from 'fast-check';
import { readAcc } from './acc.js';

const minimal = { version: 1, enabled: true, scope: 'order.read' };
const with_ = (more: Record<string, unknown>) => ({ ...minimal, ...more });
const codes = (value: unknown, method = 'POST') => readAcc(value, method).problems.map((p) => `${p.code} ${p.pointer}`);

describe('the ACC v1 reader', () => {
  it('reads the shortest declaration, and derives the defaults from the method', () => {
    const get = readAcc(minimal, 'get');
    expect(get.problems).to.deep.equal([]);
    expect(get.acc).to.deep.include({
      risk: 'low',
      riskDeclared: false,
      readonly: true,
      idempotent: true,
      sideEffecting: false,
      timeoutMs: 0,
    });
    expect(readAcc(minimal, 'POST').acc).to.deep.include({ risk: 'medium', readonly: false, idempotent: false, sideEffecting: true });
    expect(readAcc(with_({ execution: { readonly: true } }), 'POST').acc).to.deep.include({
      risk: 'low',
      readonly: true,
      sideEffecting: false,
    });
  });

  it('reads every field, ignores unknown members, and an explicit risk always wins', () => {
    const { acc, problems } = readAcc(
      with_({
        scope: ' refund.execute ',
        risk: { level: 'HIGH', note: 'x' },
        subject: { required: true },
        approval: { required: true, prompt: 'Refund {amount}?', when: [{ param: 'amount', op: '>', value: 10, label: 'big' }] },
        execution: { readonly: true, idempotent: true, timeout_ms: 600_000, rate_limit: { count: 10, window: '1d' } },
        audit: { sensitive: true },
        outcome: { result: 'A refund', side_effect: 'write' },
        guidance: { when_to_use: 'w', returns: 'r', examples: [{ amount: 1 }], context: ['c'] },
        later: { anything: 1 },
      }),
      'GET',
    );
    expect(problems).to.deep.equal([]);
    expect(acc).to.deep.equal({
      version: 1,
      scope: 'refund.execute',
      risk: 'high',
      riskDeclared: true,
      subjectRequired: true,
      readonly: true,
      idempotent: true,
      sideEffecting: false,
      confirmRequired: true,
      confirmWhen: [{ param: 'amount', op: '>', value: 10, label: 'big' }],
      confirmPrompt: 'Refund {amount}?',
      timeoutMs: 600_000,
      rateLimit: { count: 10, window: '1d' },
      sensitive: true,
      outcome: { result: 'A refund', sideEffect: 'write' },
      guidance: { whenToUse: 'w', returns: 'r', examples: [{ amount: 1 }], context: ['c'] },
    });
  });

  it('leaves an operation off unless enabled is literally true, and says so when it looks like a slip', () => {
    for (const enabled of [undefined, false])
      expect(readAcc({ ...minimal, enabled }, 'GET')).to.deep.equal({ enabled: false, acc: null, problems: [] });
    for (const enabled of ['true', 1, null, {}]) {
      const reading = readAcc({ ...minimal, enabled }, 'GET');
      expect([reading.enabled, reading.problems.map((p) => p.code)]).to.deep.equal([false, ['invalid_boolean']]);
    }
    expect(codes([minimal])).to.deep.equal(['invalid_agent_capability ']);
    expect(codes(null)).to.deep.equal(['invalid_agent_capability ']);
  });

  it('refuses a missing or unknown version with the one-line fix', () => {
    for (const version of [undefined, 2, '1', null]) {
      const reading = readAcc({ ...minimal, version }, 'GET');
      expect(reading.acc).to.equal(null);
      expect(reading.problems[0]).to.include({
        code: 'invalid_schema_version',
        suggestion: 'Add the line `version: 1` to x-agent-capability.',
      });
    }
  });

  const bad: [string, Record<string, unknown>][] = [
    ['missing_scope /scope', { scope: '  ' }],
    ['invalid_scope /scope', { scope: 7 }],
    ['invalid_scope /scope', { scope: 'a'.repeat(192) }],
    ['invalid_scope /scope', { scope: 'order.*' }],
    ['invalid_scope /scope', { scope: 'order\nread' }],
    ['invalid_scope /scope', { scope: '订单' }],
    ['invalid_risk /risk/level', { risk: { level: 'severe' } }],
    ['invalid_risk /risk', { risk: 'high' }],
    ['invalid_agent_capability /subject', { subject: true }],
    ['invalid_boolean /subject/required', { subject: { required: 'true' } }],
    ['invalid_boolean /approval/required', { approval: { required: 1 } }],
    ['invalid_boolean /audit/sensitive', { audit: { sensitive: null } }],
    ['invalid_boolean /execution/idempotent', { execution: { idempotent: 'yes' } }],
    ['invalid_confirm_prompt /approval/prompt', { approval: { prompt: 'x'.repeat(201) } }],
    ['invalid_confirm_when /approval/when', { approval: { when: { param: 'a' } } }],
    ['invalid_confirm_when /approval/when', { approval: { when: Array.from({ length: 21 }, () => ({ param: 'a', op: 'exists' })) } }],
    ['invalid_confirm_when /approval/when/0', { approval: { when: ['amount > 3'] } }],
    ['invalid_confirm_when_param /approval/when/0/param', { approval: { when: [{ op: 'exists' }] } }],
    ['invalid_confirm_when_op /approval/when/0/op', { approval: { when: [{ param: 'a', op: '=~', value: 1 }] } }],
    ['invalid_confirm_when_value /approval/when/0/value', { approval: { when: [{ param: 'a', op: '>', value: '3' }] } }],
    ['invalid_confirm_when_value /approval/when/0/value', { approval: { when: [{ param: 'a', op: '>' }] } }],
    ['invalid_confirm_when_value /approval/when/0/value', { approval: { when: [{ param: 'a', op: '==', value: Infinity }] } }],
    ['invalid_confirm_when_value /approval/when/0/value', { approval: { when: [{ param: 'a', op: 'in', value: 'x' }] } }],
    ['invalid_confirm_when_value /approval/when/0/value', { approval: { when: [{ param: 'a', op: 'exists', value: false }] } }],
    ['invalid_confirm_when_label /approval/when/0/label', { approval: { when: [{ param: 'a', op: 'exists', label: 'x'.repeat(121) }] } }],
    ['invalid_timeout_type /execution/timeout_ms', { execution: { timeout_ms: '500' } }],
    ['invalid_timeout /execution/timeout_ms', { execution: { timeout_ms: 0 } }],
    ['invalid_timeout /execution/timeout_ms', { execution: { timeout_ms: 600_001 } }],
    ['invalid_rate_limit /execution/rate_limit', { execution: { rate_limit: '10/1m' } }],
    ['invalid_rate_limit_count /execution/rate_limit/count', { execution: { rate_limit: { count: 0, window: '1m' } } }],
    ['invalid_rate_limit_window /execution/rate_limit/window', { execution: { rate_limit: { count: 1, window: '5m' } } }],
    ['invalid_outcome /outcome', { outcome: 'done' }],
    ['invalid_outcome_result /outcome/result', { outcome: { result: '', side_effect: 'none' } }],
    ['invalid_outcome_side_effect /outcome/side_effect', { outcome: { result: 'x', side_effect: 'maybe' } }],
    ['invalid_guidance /guidance/when_to_use', { guidance: { when_to_use: 'x'.repeat(501) } }],
    ['invalid_guidance /guidance/examples', { guidance: { examples: [1, 2, 3, 4, 5, 6] } }],
    ['invalid_context /guidance/context/1', { guidance: { context: ['ok', 'x'.repeat(101)] } }],
  ];
  for (const [expected, more] of bad)
    it(`refuses ${JSON.stringify(more).slice(0, 80)} as ${expected.split(' ')[0] ?? ''}`, () => {
      expect(codes(with_(more))).to.deep.equal([expected]);
      expect(readAcc(with_(more), 'POST').acc).to.equal(null);
    });

  it('counts characters, not UTF-16 units', () => {
    expect(codes(with_({ approval: { prompt: '😀'.repeat(200) } }))).to.deep.equal([]);
  });

  it('does not take inherited names for members', () => {
    const inherited = Object.create({ approval: { required: true } }) as Record<string, unknown>;
    expect(readAcc(Object.assign(inherited, minimal), 'GET').acc?.confirmRequired).to.equal(false);
  });

  it('ends quickly on a value that shares one node over and over', () => {
    let bomb: unknown = ['x'];
    for (let i = 0; i < 40; i++) bomb = [bomb, bomb];
    expect(codes(with_({ approval: { when: [{ param: 'a', op: '==', value: bomb }] } }))).to.deep.equal([
      'invalid_confirm_when_value /approval/when/0/value',
    ]);
  });

  it('never throws, and answers a declaration only when nothing is an error', () => {
    const field = fc.constantFrom(
      'version',
      'enabled',
      'scope',
      'subject',
      'risk',
      'approval',
      'execution',
      'audit',
      'outcome',
      'guidance',
    );
    fc.assert(
      fc.property(field, fc.jsonValue(), fc.constantFrom('GET', 'POST', ''), (name, value, method) => {
        const reading = readAcc({ ...minimal, [name]: value }, method);
        expect(reading.acc === null).to.equal(!reading.enabled || reading.problems.some((p) => p.severity === 'error'));
        for (const p of reading.problems) expect(p.message.length * p.suggestion.length).to.be.greaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
