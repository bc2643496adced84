import { expect } from 'chai';
import { ask } from '../../support/http.js';
import { ERROR, hang, ORDER, quick, read, reconciliation, refund, REFUND, refused, type Row } from './row.js';

/** Rows 1 to 15: what is answered before anybody is asked. */
export const ROWS_BEFORE: readonly Row[] = [
  {
    row: '-',
    says: 'a call that goes well is the answer of the business',
    act: read,
    http: 200,
    body: { ok: true, text: '*', status: 200 },
    outbound: 1,
    audit: ['tool_call', 'tool_result'],
    detail: { ok: true, status: 200 },
  },
  {
    row: '-',
    says: 'an answer that is no success is an answer all the same',
    react: { is: 'answer', status: 409 },
    act: refund,
    http: 200,
    body: { ok: false, text: '*', status: 409 },
    outbound: 1,
    audit: ['tool_call', 'tool_result'],
  },
  {
    row: '1',
    says: 'an unknown job is not found',
    act: ({ url }, { tools }) => ask(url, 'POST', '/jobs/00000000-0000-4000-8000-000000000000/tools/invoke', {}, tools.tool_token),
    http: 404,
    body: ERROR,
    outbound: 0,
    audit: [],
  },
  {
    row: '1',
    says: 'whoever brings no token is nobody, whether there is such a job or not',
    act: ({ url }) => ask(url, 'POST', '/jobs/00000000-0000-4000-8000-000000000000/tools/invoke', {}, null),
    http: 401,
    body: { ...ERROR, error: 'unauthorized', expected: /tool token is wrong/ },
    outbound: 0,
    audit: [],
  },
  {
    row: '2',
    says: 'a wrong token is nobody',
    act: ({ url }, { tools }) => ask(url, 'POST', tools.invoke_url, { tool: 'order_read', arguments: ORDER }, 'f'.repeat(64)),
    http: 401,
    body: { ...ERROR, error: 'unauthorized', expected: /tool token is wrong/ },
    outbound: 0,
    audit: [],
  },
  {
    row: '3',
    says: 'after an unknown write every call is told to reconcile, reads included',
    shop: quick,
    react: hang,
    act: async (world, work) => {
      await refund(world, work);
      return read(world, work);
    },
    http: 200,
    body: reconciliation(),
    outbound: 0,
    audit: ['tool_reconciliation_required'],
    detail: { tool: 'order_read', state: 'uncertain', code: 'BAILING_CALL_FROZEN' },
  },
  {
    row: '4',
    says: 'a journal that cannot be read stops everything',
    act: async (world, work) => {
      await world.database.query('ALTER TABLE bz_tool_executions RENAME TO bz_away');
      const answer = await read(world, work);
      await world.database.query('ALTER TABLE bz_away RENAME TO bz_tool_executions');
      return answer;
    },
    http: 503,
    body: { ok: false, error: 'execution_journal_unavailable', text: '*', auto_retry_allowed: false, code: '*', fix: '*' },
    outbound: 0,
    audit: [],
  },
  {
    row: '5',
    says: 'a call without a tool is malformed, and so is what is no JSON',
    act: async ({ url }, { tools }) => {
      const first = await ask(url, 'POST', tools.invoke_url, '{"tool":', tools.tool_token);
      expect(first.status).to.equal(400);
      return ask(url, 'POST', tools.invoke_url, { tool: ' ', arguments: {} }, tools.tool_token);
    },
    http: 400,
    body: { ...ERROR, at: 'tool' },
    outbound: 0,
    audit: [],
  },
  {
    row: '6',
    says: 'send_message that is not granted is malformed',
    act: (world, work) => world.invoke(work, 'send_message', { channel: 'x', text: 'y' }),
    http: 400,
    body: { ...ERROR, at: 'tool' },
    outbound: 0,
    audit: [],
  },
  {
    row: '8',
    says: 'a call beyond the budget is refused before anything is spent',
    shop: { maxCalls: 1 },
    act: async (world, work) => {
      await read(world, work);
      return refund(world, work);
    },
    http: 429,
    body: ERROR,
    outbound: 0,
    audit: ['tool_blocked'],
    detail: { reason: 'budget_spent', used: 1, max: 1 },
  },
  {
    row: '9',
    says: 'a tool that is not granted is refused',
    act: (world, work) => world.invoke(work, 'ghost', {}),
    http: 200,
    body: refused({ code: 'BAILING_TOOL_NOT_GRANTED' }),
    outbound: 0,
    audit: ['tool_blocked'],
  },
  ...[[REFUND], 'text', 7, true].map((args): Row => ({
    row: '10',
    says: `arguments that are ${JSON.stringify(args)} are no object`,
    act: (world, work) => world.invoke(work, 'refund_create', args),
    http: 200,
    body: refused({ code: 'BAILING_ARGS_MALFORMED' }),
    outbound: 0,
    audit: ['tool_blocked'],
    detail: { reason: 'tool_args_not_json_object' },
  })),
  {
    row: '13',
    says: 'a completed write is answered again and not sent',
    act: async (world, work) => {
      await refund(world, work);
      return refund(world, work);
    },
    http: 200,
    body: { ok: true, text: '*', status: 200 },
    outbound: 0,
    audit: ['tool_call_deduped'],
    detail: { tool: 'refund_create', scope: 'refund.create', status: 200, idempotency_key: /^[0-9a-f]{64}$/, reason: 'completed_before' },
  },
  {
    row: '14',
    says: 'the same call after an unknown one is told to reconcile',
    shop: quick,
    react: { is: 'cut' },
    act: async (world, work) => {
      await refund(world, work);
      return refund(world, work);
    },
    http: 200,
    body: reconciliation(),
    outbound: 0,
    audit: ['tool_reconciliation_required'],
    detail: { tool: 'refund_create', scope: 'refund.create', state: 'uncertain', idempotency_key: /^[0-9a-f]{64}$/, reason: '*' },
  },
  {
    row: '15',
    says: 'a condition argument of the wrong type is refused, never read as not matching',
    act: (world, work) => world.invoke(work, 'refund_create', { ...ORDER, amount: '5000' }),
    http: 200,
    body: refused({ code: 'BAILING_ARGS_INVALID' }),
    outbound: 0,
    audit: ['tool_blocked'],
    detail: { reason: 'tool_args_schema_invalid' },
  },
];
