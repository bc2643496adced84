import { expect } from 'chai';
import type { Approval } from '../ports/index.js';
import { approvalFacts, approvedNote, governanceView, withGovernance } from './index.js';
import { staleness } from './decide.js';

const HASH = 'a'.repeat(64);

function approval(id: number, more: Partial<Approval> = {}): Approval {
  const call = { tool: 'refund', scope: 's', provider: 'orders', risk: 'high', policy: 'p', reason: 'r', summary: `Refund ${String(id)}` };
  const what = {
    args: `{"n":${String(id)}}`,
    argsHash: HASH,
    subject: 'u',
    method: 'POST',
    path: '/r',
    idem: HASH,
    frozen: '{}',
    fingerprint: HASH,
  };
  const open = { decisionId: null, decidedBy: null, comment: null, decidedAt: null, usedAt: null, expiresAt: null, voidReason: null };
  return { id, job: 'j', requestId: 'r', status: 'pending', createdAt: 0, ...call, ...what, ...open, ...more };
}

const RAN = approval(1, { status: 'approved', usedAt: 5, decidedBy: 'ann', decidedAt: 4, comment: 'fine' });
const FACTS = {
  approvals: [
    RAN,
    approval(2, { status: 'denied', decidedBy: 'bob', decidedAt: 4 }),
    approval(3),
    approval(4, { status: 'void', voidReason: 'fingerprint_changed' }),
  ],
  executed: [{ approval: RAN, recorded: { ok: true, status: 200, text: 'paid out' }, unknown: false }],
};

describe('what is told of approvals', () => {
  it('the brain is told what was executed already, with its result, and what became of the others', () => {
    const note = approvedNote(FACTS) ?? '';
    expect(note).to.include('already executed: refund {"n":1} (approval 1); result: paid out');
    expect(note).to.include('denied by an approver, not run; do not propose it again: refund {"n":2}');
    expect(note).to.include('waiting for approval, not run: refund {"n":3}');
    expect(note).to.include('void because the call changed since, not run: refund {"n":4}');
  });

  it('nothing is told while everything only waits', () => {
    expect(approvedNote({ approvals: [approval(1)], executed: [] })).to.equal(null);
  });

  it('whoever waits sees pending questions, decisions and executed results', () => {
    expect(governanceView(FACTS)).to.deep.equal({
      pending: [{ approval_id: 3, tool: 'refund', summary: 'Refund 3' }],
      decisions: [
        {
          approval_id: 1,
          tool: 'refund',
          summary: 'Refund 1',
          decision: 'approved',
          approver: 'ann',
          comment: 'fine',
          decided_at: '1970-01-01T00:00:00.004Z',
        },
        {
          approval_id: 2,
          tool: 'refund',
          summary: 'Refund 2',
          decision: 'denied',
          approver: 'bob',
          decided_at: '1970-01-01T00:00:00.004Z',
        },
        { approval_id: 4, tool: 'refund', summary: 'Refund 4', decision: 'void', reason: 'fingerprint_changed' },
      ],
      executed: [{ approval_id: 1, tool: 'refund', summary: 'Refund 1', ok: true, status: 200, text: 'paid out' }],
    });
  });

  it('a job without approvals is shown as it was stored', async () => {
    const job = { id: 'j', status: 'done', result: '{"text":"x"}' };
    const open = { key: { idem: RAN.idem } } as never;
    const calls = { recorded: () => Promise.resolve(null), unresolved: () => Promise.resolve([open]) };
    const none = { approvals: { ofJob: () => Promise.resolve([]) }, calls };
    expect(await withGovernance(job, none)).to.equal(job);
    const some = { ...none, approvals: { ofJob: () => Promise.resolve([RAN]) } };
    const shown = JSON.parse((await withGovernance(job, some)).result ?? '') as { text: string; governance: { executed: object[] } };
    expect(shown.text).to.equal('x');
    expect(shown.governance.executed).to.deep.equal([{ approval_id: 1, tool: 'refund', summary: 'Refund 1', outcome: 'unknown' }]);
  });

  it('an executed call whose answer the journal no longer keeps is not told as unknown', async () => {
    const calls = { recorded: () => Promise.resolve(null), unresolved: () => Promise.resolve([]) };
    const facts = await approvalFacts('j', { approvals: { ofJob: () => Promise.resolve([RAN]) }, calls });
    const { executed } = governanceView(facts!) as { executed: object[] };
    expect(executed).to.deep.equal([{ approval_id: 1, tool: 'refund', summary: 'Refund 1', outcome: 'no_longer_kept' }]);
    expect(approvedNote(facts!)).to.include('its result is no longer kept');
  });

  it('a question is stale when its tool changed or went, not when its document cannot be read', () => {
    const tools = (fingerprint: string) => ({ tools: new Map([['refund', { definition: { fingerprint } }]]) }) as never;
    expect(staleness(approval(1), () => tools(HASH))).to.equal(null);
    expect(staleness(approval(1), () => tools('b'))).to.equal('fingerprint_changed');
    expect(staleness(approval(1), () => ({ tools: new Map() }) as never)).to.equal('tool_removed');
    expect(staleness(approval(1), () => undefined)).to.equal(null);
  });
});
