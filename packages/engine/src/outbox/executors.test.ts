import { expect } from 'chai';
import type { AuditRow, JobRow, NewJob, Outgoing } from '../ports/index.js';
import { channelDeliverySender } from './channels.js';
import { executorDeadSender, executorDeliverySender, type ExecutorDeadDeps } from './executors.js';

const carried = { to: 'boss', parent_job_id: 'p', parent_request_id: 'r', delivers: 'd', delivery: { type: 'sms' } };
const ROW = { ref: 'j1', attempt: 1, body: 'Hi' } as unknown as Parameters<ReturnType<typeof executorDeadSender>['send']>[0] & Outgoing;

/** What the dead letter says of a delivery that waited too long, by the lines of its job. */
async function possibly(events: readonly string[], more: Partial<JobRow> = {}): Promise<unknown> {
  const job = {
    ...{ id: 'j1', requestId: 'deliver_p', target: 'sms-notify', source: 'delivery', route: '', input: 'Hi', attempts: 0, status: 'error' },
    ...{ metadata: JSON.stringify(carried), error: 'BAILING_JOB_EXPIRED: nobody began with it', ...more },
  } as unknown as JobRow;
  const jobs = { get: () => Promise.resolve(job), audit: () => Promise.resolve(events.map((event) => ({ event }) as AuditRow)) };
  const end = await executorDeadSender({ jobs } as unknown as ExecutorDeadDeps).send(ROW, new AbortController().signal);
  expect(end.is).to.equal('final');
  const { error, about } = end as unknown as { readonly error: string; readonly about: { readonly possibly_sent: unknown } };
  expect(error.includes('may have been sent')).to.equal(about.possibly_sent);
  return about.possibly_sent;
}

describe('a delivery that no executor ended', () => {
  it('was not sent where none had it', async () => {
    expect(await possibly(['received', 'finished'])).to.equal(false);
    expect(await possibly(['received', 'dispatched', 'dispatch_undelivered', 'dispatched', 'dispatch_undelivered'])).to.equal(false);
  });

  it('may have been sent where one had it and fell silent, also where the next one was never reached', async () => {
    expect(await possibly(['received', 'dispatched', 'recovered', 'dispatched', 'dispatch_undelivered', 'finished'])).to.equal(true);
    expect(await possibly(Array<string>(500).fill('dispatched'))).to.equal(true);
    expect(await possibly(['received'], { attempts: 1 })).to.equal(true);
    expect(await possibly(['received'], { error: 'no credit' })).to.equal(true);
  });
});

describe('a delivery through an executor', () => {
  const row = {
    ...ROW,
    job: 'p',
    requestId: 'r',
    ref: 'p',
    dedupe: 'd',
    target: JSON.stringify({ to: 'boss', delivery: { type: 'sms' } }),
  };
  const targets = new Set<string>();
  const accepted: NewJob[] = [];
  const deps = (lookAgain: () => Promise<void>) => {
    const jobs = {
      get: () => Promise.resolve(null),
      byRequestId: () => Promise.resolve(null),
      accept: (job: NewJob) => Promise.resolve((accepted.push(job), { is: 'new', job })),
    };
    const settings = () => ({ target: (name: string) => (targets.has(name) ? { enabled: true } : undefined) });
    const rest = { clock: { now: () => 0 }, wakeups: { notify: () => undefined } };
    return { jobs, settings, lookAgain, ...rest } as unknown as ExecutorDeadDeps;
  };
  const sent = async (lookAgain: () => Promise<void>) =>
    (await executorDeliverySender(deps(lookAgain)).send(row, new AbortController().signal)).is;

  it('finds a target that another hub has just got, and fails for good only where there is none', async () => {
    expect(await sent(() => Promise.resolve())).to.equal('final');
    expect(await sent(() => Promise.resolve(void targets.add('sms-notify')))).to.equal('sent');
    expect(accepted.map(({ target }) => target)).to.deep.equal(['sms-notify']);
  });

  it('is a dead letter that says so where it has no recipient, and so is one through a channel', async () => {
    const { signal } = new AbortController();
    const none = deps(() => Promise.resolve());
    const delivery = { type: 'sms', to_field: 'phone' };
    const ends = [
      await executorDeliverySender(none).send({ ...row, target: JSON.stringify({ to: '', delivery }) }, signal),
      await channelDeliverySender(none).send({ ...row, target: JSON.stringify({ channel: 'ops', to: [], field: 'phone' }) }, signal),
    ];
    const error =
      'no_recipient: neither metadata.phone nor the route’s delivery.to names anybody; nothing was sent. Name a recipient there and run the job again.';
    expect(ends).to.deep.equal([1, 2].map(() => ({ is: 'final', error, event: 'delivery_error' })));
  });
});
