import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { approval } from '../test-support/fake-desk.js';
import { readDecision } from './decision-request.js';

const row = approval();
const full = {
  kind: 'tool_approval_decision',
  schema_version: 'bailing.approval-decision.v1',
  approval_id: 7,
  job_id: row.job,
  request_id: row.requestId,
  args_hash: row.argsHash,
  decision_id: 'oa:9001',
  decision: 'approved',
  approver: 'u2',
};

function refusedAt(body: unknown): string | undefined {
  try {
    readDecision(body, row);
  } catch (error) {
    return error instanceof BailingError && error.code === 'BAILING_REQUEST_MALFORMED' ? error.at : 'another error';
  }
  return undefined;
}

describe('a decision (WIRE §9.4)', () => {
  it('is read in its full form and in its short one', () => {
    expect(readDecision(full, row)).to.deep.equal({ verdict: 'approved', approver: 'u2', comment: '', decisionId: 'oa:9001' });
    expect(readDecision({ decision: ' Denied ', approver: 'u2', comment: 'too much' }, row)).to.deep.equal({
      verdict: 'denied',
      approver: 'u2',
      comment: 'too much',
    });
    expect(readDecision({ ...full, approval_id: '7' }, row)).to.include({ verdict: 'approved' });
    expect(readDecision({ decision: 'approved', operator: 'u3' }, row)).to.include({ approver: 'u3' });
  });

  it('must match wherever it names what it is about', () => {
    const wrong = { kind: 'x', schema_version: 'v2', approval_id: 8, job_id: 'x', request_id: 'x', args_hash: 'b'.repeat(64) };
    for (const [name, value] of Object.entries(wrong)) expect(refusedAt({ ...full, [name]: value }), name).to.equal(name);
    expect(refusedAt({ ...full, approval_id: null })).to.equal('approval_id');
  });

  it('needs a verdict and somebody who gave it', () => {
    expect(refusedAt({ decision: 'approved' })).to.equal('approver');
    expect(refusedAt({ decision: 'approved', approver: ' ' })).to.equal('approver');
    expect(refusedAt({ decision: 'approved', approver: { id: 'u' } })).to.equal('approver');
    expect(refusedAt({ decision: 'yes', approver: 'u' })).to.equal('decision');
    expect(refusedAt({ decision: true, approver: 'u' })).to.equal('decision');
    expect(refusedAt({ ...full, decision_id: 'a b' })).to.equal('decision_id');
    expect(refusedAt([])).to.equal('body');
  });

  it('is cut to the contract lengths', () => {
    const read = readDecision({ decision: 'approved', approver: 'x'.repeat(70), comment: 'y'.repeat(2_000) }, row);
    expect([read.approver.length, read.comment.length]).to.deep.equal([64, 1_000]);
  });
});
