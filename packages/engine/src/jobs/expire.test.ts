import { expect } from 'chai';
import type { End, JobRow, Recorded } from '../ports/index.js';
import { QueueExpiry, type ExpireDeps } from './expire.js';

const message = { channel: 'ops', to: ['u1', 'u2'], text: 'Hi', files: [], images: [] };
const job = {
  ...{ id: 'j1', requestId: 's:1', target: 'channel-send', source: 'send', owner: 'crm', route: '', createdAt: 0 },
  metadata: JSON.stringify({ message }),
} as unknown as JobRow;

/** The end that a message gets which waited too long for somebody to go on with it. */
async function endOf(carriedOut: readonly Recorded[]): Promise<End | undefined> {
  let ended: End | undefined;
  const deps = {
    afterMs: 1_000,
    clock: { now: () => 10_000 },
    jobs: {
      waiting: () => Promise.resolve(ended ? [] : [job]),
      expire: (_job: string, _since: number, end: End) => Promise.resolve(((ended = end), 'expired')),
    },
    calls: {
      calls: { unresolved: () => Promise.resolve([]), carriedOut: () => Promise.resolve(carriedOut) },
      wakeups: { notify: () => undefined },
      observe: () => undefined,
    },
    settings: () => ({ route: () => undefined }),
  };
  await new QueueExpiry(deps as unknown as ExpireDeps).pass();
  return ended;
}

describe('a message that waited too long for its end', () => {
  it('ends as sent where it was sent before, and as expired where it was not', async () => {
    const sent = await endOf([{ ok: true, status: 200, text: 'Sent through ops to 2 recipients.' }]);
    expect([sent?.status, sent?.error]).to.deep.equal(['done', null]);
    const result = { text: 'Sent through ops to 2 recipients.', channel: 'ops', recipients: 2, thread_id: null };
    expect(JSON.parse(sent?.result ?? '')).to.deep.equal(result);
    expect(sent?.lines.map(({ event }) => event)).to.deep.equal(['outbound_sent', 'finished']);
    expect((await endOf([]))?.error).to.match(/^BAILING_JOB_EXPIRED/);
  });
});
