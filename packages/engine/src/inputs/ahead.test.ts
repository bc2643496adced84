import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { ahead, type Turn } from './ahead.js';
import { FetchTime } from './fetch-time.js';

const soon = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const MIB = 1_048_576;

describe('things that are fetched side by side', () => {
  it('are answered in their order, four at once, and the next begins when one was read', async () => {
    let going = 0;
    let most = 0;
    const got: number[] = [];
    const begin = async (item: number, index: number) => {
      most = Math.max(most, ++going);
      await soon(10 - item);
      going--;
      expect(index).to.equal(item);
      return item;
    };
    for await (const one of ahead([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], begin)) got.push(one);
    expect(got).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).to.equal(4);
  });

  it('keep little of what waits for its turn, and all come to an end', async () => {
    const kept = new Map<number, number>();
    let most = 0;
    let head = 0;
    const begin = async (_item: string, index: number, turn: Turn) => {
      for (let n = 0; n < 20; n++) {
        await turn.room(MIB);
        kept.set(index, (kept.get(index) ?? 0) + MIB);
        const others = [...kept].reduce((sum, [at, bytes]) => sum + (at > head ? bytes : 0), 0);
        most = Math.max(most, others);
        await soon(0);
      }
      return index;
    };
    for await (const index of ahead(['a', 'b', 'c', 'd', 'e'], begin)) {
      kept.delete(index);
      head = index + 1;
    }
    expect(head).to.equal(5);
    expect(most).to.be.within(MIB, 8 * MIB);
  });

  it('are read only in their turn, and not at all by a job that was stopped', async () => {
    const stop = new AbortController();
    const read: number[] = [];
    const begin = async (_item: string, index: number, turn: Turn) => {
      if (index === 0) await soon(10);
      await turn.mine(stop.signal);
      read.push(index);
      return index;
    };
    let fault: unknown;
    try {
      for await (const index of ahead(['a', 'b', 'c'], begin)) if (index === 1) stop.abort(new Error('stopped'));
    } catch (error) {
      fault = error;
    }
    expect([read, (fault as Error).message]).to.deep.equal([[0, 1], 'stopped']);
    expect(getEventListeners(stop.signal, 'abort')).to.deep.equal([]);
  });
});

describe('the time of all downloads of a message', () => {
  it('leaves files and images the share that recordings may not take, and counts only while one goes on', async () => {
    const time = new FetchTime({ audio: [1], file: [1], image: [1] }, 300);
    expect([time.left('audio'), time.left('file'), time.left('image')]).to.deep.equal([100, 200, 300]);
    await soon(30);
    expect(time.left('audio')).to.equal(100);
    await Promise.all([time.during(() => soon(60)), time.during(() => soon(60)), time.during(() => time.pausing(() => soon(120)))]);
    expect(time.left('image')).to.be.within(190, 245);
    expect(time.left('audio')).to.be.within(-10, 45);
    expect(new FetchTime({ audio: [], file: [1], image: [] }).left('file')).to.equal(60_000);
  });
});
