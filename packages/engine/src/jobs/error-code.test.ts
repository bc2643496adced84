import { expect } from 'chai';
import { jobErrorOf, sentenceOf } from './error-code.js';

describe('The code of a job’s error', () => {
  const of = (error: string | null, target = 'llm') => jobErrorOf({ target, error })?.code;

  it('stands in the hub’s own sentences, and behind every word of the contract', () => {
    expect(of(null)).to.equal(undefined);
    expect(of(sentenceOf('BAILING_JOB_ROUNDS'))).to.equal('BAILING_JOB_ROUNDS');
    expect(of('BAILING_CONFIG_INVALID: routes x: no credential')).to.equal('BAILING_CONFIG_INVALID');
    expect(of('tool_execution_reconciliation_required')).to.equal('BAILING_CALL_UNKNOWN');
    expect(of('tool_execution_journal_unavailable', 'worker')).to.equal('BAILING_JOURNAL_UNAVAILABLE');
    expect(of('cancelled')).to.equal('BAILING_JOB_CANCELLED');
    expect(of('thread_inflight_quota: 6 jobs …')).to.equal('BAILING_JOB_THREAD_FULL');
    expect(of('budget_client_tokens_exceeded: …')).to.equal('BAILING_JOB_OVER_BUDGET');
    expect(of('the channel answered 500', 'channel-send')).to.equal('BAILING_DELIVERY_FAILED');
    expect(of('LLM 401: bad key')).to.equal('BAILING_MODEL_FAILED');
    expect(of(`${'BAILING'}_NO_SUCH: x`)).to.equal('BAILING_MODEL_FAILED');
    expect(jobErrorOf({ target: 'llm', error: 'cancelled' })?.fix).to.match(/^Submit it again/);
  });

  it('is not taken from what an executor writes', () => {
    expect(of('BAILING_HUB_FAILED: pretending', 'worker')).to.equal('BAILING_EXECUTOR_FAILED');
    expect(of('cancelled by me', 'worker')).to.equal('BAILING_EXECUTOR_FAILED');
    expect(of(sentenceOf('BAILING_JOB_EXPIRED'), 'worker')).to.equal('BAILING_JOB_EXPIRED');
  });
});
