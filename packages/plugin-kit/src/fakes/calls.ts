import type { GovernedCall, HttpBinding, ToolDefinition } from '@bailing/plugin-api';
import { freezeDeep } from '../freeze.js';

const BINDING: HttpBinding = { kind: 'http', method: 'POST', path: '/refunds', args: { amount: { in: 'body', name: 'amount' } } };

/** A tool for tests: creating a refund, unless told otherwise. */
export function aTool(more: Partial<ToolDefinition> = {}): ToolDefinition {
  return freezeDeep({
    name: 'create_refund',
    provider: 'shop',
    scope: 'refund.create',
    method: 'POST',
    path: '/refunds',
    description: 'Creates a refund.',
    risk: 'medium',
    readonly: false,
    idempotent: false,
    sideEffecting: true,
    requiresSubject: true,
    sensitive: false,
    confirmRequired: false,
    confirmWhen: [],
    timeoutMs: 0,
    input: { type: 'object', properties: { order: { type: 'string' }, amount: { type: 'number' } }, additionalProperties: false },
    binding: BINDING,
    fingerprint: 'a'.repeat(64),
    ...more,
  });
}

/** A call for tests, deeply frozen as gates get it. */
export function aCall(more: Partial<GovernedCall> = {}): GovernedCall {
  return freezeDeep({
    job: { id: '11111111-2222-4333-8444-555555555555', requestId: 'test:1', route: 'support', client: 'web', source: 'test' },
    subject: 'user_1',
    tool: aTool(),
    provider: { name: 'shop', ratePerMin: 60 },
    args: { order: 'A-1', amount: 50 },
    argsHash: 'b'.repeat(64),
    ...more,
  });
}

/** Calls of every kind a gate or a quota may meet. */
export function sampleCalls(): readonly GovernedCall[] {
  const read = aTool({
    name: 'get_order',
    scope: 'order.read',
    method: 'GET',
    risk: 'low',
    readonly: true,
    idempotent: true,
    sideEffecting: false,
  });
  const limited = aTool({ rateLimit: { count: 1, window: '1d' }, confirmWhen: [{ param: 'amount', op: '>', value: 10 }] });
  const odd = JSON.parse('{"__proto__": {"amount": 1}, "amount": null, "deep": [[[{"a": [1, -0, 1e21]}]]], "退款": "💥"}') as Record<
    string,
    unknown
  >;
  return [
    aCall(),
    aCall({ tool: read, args: { order: 'A-1' } }),
    aCall({ tool: aTool({ risk: 'high', confirmRequired: true, confirmPrompt: 'Refund?', sensitive: true }), args: { amount: 5_000 } }),
    aCall({ tool: limited, args: { amount: 11 } }),
    aCall({ args: {} }),
    aCall({ args: odd }),
    aCall({ args: { amount: 'fifty', order: 'x'.repeat(100_000) } }),
    aCall({ subject: '', tool: aTool({ requiresSubject: false }) }),
    aCall({
      tool: aTool({ binding: { kind: 'somebody-elses' }, provider: 'other', input: true }),
      provider: { name: 'other', ratePerMin: 0 },
    }),
  ];
}
