import { hang, ORDER, quick, read, reconciliation, refund, REFUND, refused, SENT, type Row } from './row.js';

/** Rows 16 to 23 and those this house adds: questions, limits, attempts. */
export const ROWS_AFTER: readonly Row[] = [
  {
    row: '16',
    says: 'a call that needs approval is a question, with its number in text and member',
    act: (world, work) => world.invoke(work, 'refund_create', { ...ORDER, amount: 5_000 }),
    http: 200,
    body: refused({ text: /approval 1\b/, code: 'BAILING_APPROVAL_PENDING', governance_state: 'approval_pending', approval_id: 1 }),
    outbound: 0,
    audit: ['tool_approval_pending'],
    detail: { approval_id: 1, tool: 'refund_create', scope: 'refund.create', risk: 'medium', confirm_required: false, confirm_when: '*' },
  },
  {
    row: '17',
    says: 'the same question again is the same question',
    act: async (world, work) => {
      await world.invoke(work, 'refund_create', { ...ORDER, amount: 5_000 });
      return world.invoke(work, 'refund_create', { amount: 5_000, ...ORDER });
    },
    http: 200,
    body: refused({ code: 'BAILING_APPROVAL_PENDING', governance_state: 'approval_pending', approval_id: 1 }),
    outbound: 0,
    audit: [],
  },
  {
    row: '19',
    says: 'beyond a rate limit nothing is sent',
    act: async (world, work) => {
      for (const amount of [1, 2, 3]) await world.invoke(work, 'credit_grant', { ...ORDER, amount });
      return world.invoke(work, 'credit_grant', { ...ORDER, amount: 4 });
    },
    http: 200,
    body: refused({ status: 429, code: 'BAILING_RATE_LIMITED' }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
  {
    row: '20',
    says: 'what cannot be audited before is not sent',
    act: async (world, work) => {
      await world.refuse('INSERT ON', 'bz_audit', `NEW.event = 'tool_call'`);
      return read(world, work);
    },
    http: 200,
    body: refused({ code: 'BAILING_AUDIT_UNAVAILABLE' }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
  {
    row: '21',
    says: 'what cannot be journalled is not sent',
    act: async (world, work) => {
      await world.refuse('INSERT ON', 'bz_tool_executions');
      return refund(world, work);
    },
    http: 200,
    body: refused({
      code: 'BAILING_JOURNAL_UNAVAILABLE',
      governance_state: 'execution_journal_unavailable',
      auto_retry_allowed: false,
    }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
  ...(
    [
      ['a write without an answer', hang],
      ['a write whose connection is cut', { is: 'cut' }],
      ['a write whose answer is larger than 5 MiB', { is: 'answer', status: 200, body: 'x'.repeat(5_242_881), type: 'text/plain' }],
      ...[408, 502, 504].map((status) => [`a write answered ${String(status)} by something in between`, { is: 'answer', status }] as const),
    ] as const
  ).map(([says, react]): Row => ({
    row: '22',
    says: `${says} is unknown, in full shape from the first time on`,
    shop: quick,
    react,
    act: refund,
    http: 200,
    body: { ...reconciliation(), code: 'BAILING_CALL_UNKNOWN' },
    outbound: 1,
    audit: SENT,
    detail: { tool: 'refund_create', scope: 'refund.create', state: 'uncertain', idempotency_key: /^[0-9a-f]{64}$/, reason: '*' },
  })),
  {
    row: '22',
    says: 'a write whose result cannot be audited is degraded evidence',
    act: async (world, work) => {
      await world.refuse('INSERT ON', 'bz_audit', `NEW.event = 'tool_result'`);
      return refund(world, work);
    },
    http: 200,
    body: reconciliation('evidence_degraded'),
    outbound: 1,
    audit: ['tool_call'],
  },
  {
    row: '22',
    says: 'a write whose answer cannot be recorded stays dispatching',
    act: async (world, work) => {
      await world.refuse('UPDATE ON', 'bz_tool_executions');
      return refund(world, work);
    },
    http: 200,
    body: reconciliation('dispatching'),
    outbound: 1,
    audit: ['tool_call'],
  },
  ...(['order_read', 'note_set'] as const).map((tool): Row => ({
    row: '23',
    says: `${tool}, which may be repeated, fails in plain words when no answer comes`,
    shop: quick,
    react: hang,
    act: (world, work) => world.invoke(work, tool, tool === 'note_set' ? { ...ORDER, note: 'x' } : ORDER),
    http: 200,
    body: refused({ code: 'BAILING_CALL_FAILED' }),
    outbound: 1,
    audit: ['tool_call', 'tool_result'],
    detail: { status: 0, ok: false },
  })),
  {
    row: 'ours',
    says: 'undeclared keys are refused, not forwarded',
    act: (world, work) => world.invoke(work, 'refund_create', { ...REFUND, on_behalf_of: 'u-cleo' }),
    http: 200,
    body: refused({ code: 'BAILING_ARGS_INVALID' }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
  {
    row: 'ours',
    says: 'a stop flag stops the next call of a job that runs',
    act: async (world, work) => {
      await world.database.query(`INSERT INTO bz_stops (what, set_by, at) VALUES ('tool:shop/refund_create', 'operator', 0)`);
      return refund(world, work);
    },
    http: 200,
    body: refused({ code: 'BAILING_CALL_STOPPED' }),
    outbound: 0,
    audit: ['tool_blocked'],
    detail: { stopped: 'tool:shop/refund_create' },
  },
  {
    row: 'ours',
    says: 'a tool that failed twice in a row is off for the rest of the job',
    react: { is: 'answer', status: 500 },
    act: async (world, work) => {
      await world.invoke(work, 'refund_create', { ...ORDER, amount: 1 });
      await world.invoke(work, 'refund_create', { ...ORDER, amount: 2 });
      return world.invoke(work, 'refund_create', { ...ORDER, amount: 3 });
    },
    http: 200,
    body: refused({ code: 'BAILING_TOOL_DISABLED_FOR_JOB' }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
];
