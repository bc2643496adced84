import type { StreamEvent } from '@bailing/plugin-api';
import { expect } from 'chai';
import { createWakeups } from '../wakeups.js';
import { MemoryStreams } from './memory-streams.js';
import { BYTES_PER_JOB, EVENTS_PER_JOB } from './ring.js';

const delta = (text: string): StreamEvent => ({ is: 'delta', text, round: 1 });
const never = new AbortController().signal;

function made() {
  const clock = { at: 1_000, now: () => clock.at };
  return { clock, streams: new MemoryStreams(clock, createWakeups()) };
}

describe('streams in memory (WIRE §14.2)', () => {
  it('number the events of each job from one and answer those after a place', async () => {
    const { streams } = made();
    for (const text of ['a', 'b', 'c']) streams.publish('one', delta(text));
    streams.publish('two', delta('x'));
    const { events, latest, gap } = await streams.read('one', 1);
    expect(events.map(({ seq, at }) => [seq, at])).to.deep.equal([
      [2, 1_000],
      [3, 1_000],
    ]);
    expect({ latest, gap }).to.deep.equal({ latest: 3, gap: false });
    expect((await streams.read('two', 0)).latest).to.equal(1);
    expect(await streams.read('three', 0)).to.deep.equal({ events: [], latest: 0, gap: false });
  });

  it('forget the oldest events of a job by number and by size, and say that there is a gap', async () => {
    const { streams } = made();
    for (let i = 0; i < EVENTS_PER_JOB + 10; i++) streams.publish('many', delta('x'));
    expect(await streams.read('many', 9)).to.include({ gap: true, latest: EVENTS_PER_JOB + 10 });
    expect(await streams.read('many', 10)).to.include({ gap: false });
    for (let i = 0; i < 3; i++) streams.publish('big', delta('x'.repeat(BYTES_PER_JOB / 2)));
    const { events, gap } = await streams.read('big', 0);
    expect(events.map(({ seq }) => seq)).to.deep.equal([3]);
    expect(gap).to.equal(true);
  });

  it('take a place ahead of them for one of a process that is gone', async () => {
    const { streams } = made();
    streams.publish('job', delta('a'));
    const { events, gap } = await streams.read('job', 50);
    expect(events).to.have.length(1);
    expect(gap).to.equal(true);
    expect((await streams.read('unknown', 50)).gap).to.equal(true);
  });

  it('forget jobs after ten minutes, and the longest silent one when there are a thousand', async () => {
    const { clock, streams } = made();
    streams.publish('old', delta('a'));
    clock.at += 9 * 60_000;
    for (let i = 0; i < 1_000; i++) streams.publish(`job-${String(i)}`, delta('a'));
    expect((await streams.read('old', 0)).latest).to.equal(0);
    expect((await streams.read('job-0', 0)).latest).to.equal(1);
    clock.at += 10 * 60_000;
    expect((await streams.read('job-999', 0)).latest).to.equal(0);
  });

  it('wake who waits, at once where something came already', async () => {
    const { streams } = made();
    const woken = streams.wait('job', 0, never, 60_000);
    streams.publish('job', delta('a'));
    await woken;
    await streams.wait('job', 0, never, 60_000);
    await streams.wait('job', 1, AbortSignal.timeout(5), 60_000);
  });
});
