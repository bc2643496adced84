import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { createWakeups } from './wakeups.js';

const TOPICS = Array.from({ length: 30 }, (_, i) => `jobs:t${String(i)}`);

describe('Wake-ups', () => {
  it('wait for thirty topics with one listener on the signal, which is gone afterwards', async () => {
    const wakeups = createWakeups();
    const { signal } = new AbortController();
    const woken = wakeups.wait(TOPICS, signal, 60_000);
    expect(getEventListeners(signal, 'abort')).to.have.length(1);
    wakeups.notify('jobs:t29');
    await woken;
    expect(getEventListeners(signal, 'abort')).to.have.length(0);
  });

  it('end by abort too, and are not woken by what nobody waits for', async () => {
    const wakeups = createWakeups();
    const stopping = new AbortController();
    let woken = false;
    const waiting = wakeups.wait(TOPICS, stopping.signal, 60_000).then(() => (woken = true));
    wakeups.notify('jobs:other');
    await Promise.resolve();
    expect(woken).to.equal(false);
    stopping.abort();
    await waiting;
  });
});
