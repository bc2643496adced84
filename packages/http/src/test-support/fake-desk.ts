import type { Approval, Outgoing, Unresolved } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import type { DeskApi } from '../desk-api.js';
import { ADMIN_TOKEN, JOB_ID } from './fake-hub.js';

const AT = 1_718_000_000_000;
const HASH = 'a'.repeat(64);

export function approval(more: Partial<Approval> = {}): Approval {
  const what = { tool: 'refund', scope: 'refund.create', provider: 'orders', risk: 'high', policy: 'risk_high', reason: 'risk=high' };
  const call = {
    method: 'POST',
    path: '/refunds',
    summary: 'Refund 300',
    args: '{"amount":300}',
    argsHash: HASH,
    idem: HASH,
    subject: 'u1',
  };
  const open = { decisionId: null, decidedBy: null, comment: null, decidedAt: null, usedAt: null, expiresAt: null, voidReason: null };
  return {
    id: 7,
    job: JOB_ID,
    requestId: 'crm:1',
    ...what,
    ...call,
    ...open,
    frozen: '{"kind":"tool_approval_intent","request":{"method":"POST"}}',
    fingerprint: HASH,
    status: 'pending',
    createdAt: AT,
    ...more,
  };
}

const unresolved: Unresolved = {
  key: { job: JOB_ID, tool: 'refund', argsHash: HASH, idem: HASH },
  ...{ state: 'uncertain', scope: 'refund.create', subject: 'u1', owner: 'r1', sendBy: AT + 5_000, reason: 'timeout' },
  ...{ id: 3, attempt: 1, requestId: 'crm:1', provider: 'orders', args: '{"amount":300}', digest: HASH, attemptedAt: AT, probes: 0 },
  ...{ createdAt: AT, updatedAt: AT, evidence: null },
};

const letter: Outgoing = {
  ...{
    id: 5,
    dedupe: 'approval:7',
    kind: 'approval',
    ref: '7',
    target: '{"type":"webhook","url":"https://oa.example/a"}',
    body: '{"kind":"x"}',
  },
  ...{ job: JOB_ID, requestId: 'crm:1', signAs: 'crm', state: 'dead', attempt: 3, nextAt: AT, error: 'the receiver answered 503' },
  ...{ createdAt: AT, updatedAt: AT },
};

/** A desk of plain memory, with one approval, one unknown write and one dead letter. */
export class FakeDesk implements DeskApi {
  row = approval();
  outcome: Awaited<ReturnType<DeskApi['decide']>> = { is: 'decided', rerun: 'now', decisionId: 'd:1' };
  settled: Awaited<ReturnType<DeskApi['settle']>> = { is: 'settled', rerun: true };
  sent: Awaited<ReturnType<DeskApi['resend']>> = { ok: true };
  readonly words: unknown[] = [];

  admit: DeskApi['admit'] = (id, { token }) => {
    if (token !== ADMIN_TOKEN) return Promise.reject(new BailingError('BAILING_REQUEST_UNAUTHORIZED'));
    if (id !== '7') return Promise.reject(new BailingError('BAILING_REQUEST_NOT_FOUND'));
    return Promise.resolve({ approval: this.row, door: { auth: 'admin-token', console: false } });
  };
  decide: DeskApi['decide'] = (_, verdict) => {
    this.words.push(verdict);
    return Promise.resolve(this.outcome);
  };
  approvals: DeskApi['approvals'] = () => Promise.resolve([this.row]);
  approval: DeskApi['approval'] = (id) => Promise.resolve(id === 7 ? this.row : null);
  rerun: DeskApi['rerun'] = () => Promise.resolve('queued');
  unresolved: DeskApi['unresolved'] = () => Promise.resolve([unresolved]);
  unresolvedRow: DeskApi['unresolvedRow'] = (id) => Promise.resolve(id === 3 ? unresolved : null);
  settle: DeskApi['settle'] = (_, word) => {
    this.words.push(word);
    return Promise.resolve(this.settled);
  };
  deadLetters: DeskApi['deadLetters'] = () => Promise.resolve([letter]);
  deadLetter: DeskApi['deadLetter'] = (id) => Promise.resolve(id === 5 ? letter : null);
  resend: DeskApi['resend'] = () => Promise.resolve(this.sent);
  resolve: DeskApi['resolve'] = () => Promise.resolve('resolved');
}
