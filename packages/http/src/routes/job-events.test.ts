import { createWakeups, MemoryStreams } from '@bailing/engine';
import type { JobRow } from '@bailing/engine/ports';
import { expect } from 'chai';
import { follow } from '../follow.js';
import { StreamSeats, type FollowApi } from '../index.js';
import { nextPiece } from '../event-frames.js';
import { readEvents } from '../test-support/event-reader.js';
import { ADMIN_TOKEN, CLIENT_TOKEN, JOB_ID, jobRow, OTHER_TOKEN } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

const PATH = `/jobs/${JOB_ID}/events`;
const as = (token: string) => ({ authorization: `Bearer ${token}` });

describe('GET /jobs/{id}/events (WIRE §11.7, §14.2)', () => {
  let at: Serving;
  let streams: MemoryStreams;
  const wakeups = createWakeups();
  let shown = true;
  beforeEach(async () => {
    shown = true;
    streams = new MemoryStreams({ now: () => 1_718_000_000_000 }, wakeups);
    at = await serve();
    at.hub.follow = apiOf(streams);
    at.hub.jobs.set(JOB_ID, jobRow({ status: 'running' }));
  });
  afterEach(() => at.server.stop());

  function apiOf(broker: MemoryStreams): FollowApi {
    return {
      seats: new StreamSeats(),
      streaming: () => shown,
      read: (job, after) => broker.read(job, after),
      more: (job, after, signal, maxMs) => broker.wait(job, after, signal, maxMs),
      moved: (job, signal, maxMs) => wakeups.wait(`job:${job}`, signal, maxMs),
    };
  }
  const become = (more: Partial<JobRow>): void => {
    at.hub.jobs.set(JOB_ID, jobRow(more));
    wakeups.notify(`job:${JOB_ID}`);
  };
  const delta = (text: string): void => streams.publish(JOB_ID, { is: 'delta', text, round: 1 });
  const read = (headers: Record<string, string> = as(CLIENT_TOKEN), query = '') => readEvents(at.port, PATH + query, headers);

  it('tells of a job from its first word to its reply, with the headers of a stream', async () => {
    const reader = await read();
    expect(reader.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await reader.until('open');
    streams.publish(JOB_ID, { is: 'phase', name: 'model', round: 1 });
    delta('All ');
    await reader.until('delta');
    delta('is "well"\n');
    become({ status: 'done', result: '{"text":"All is well","attachments":[]}' });
    await reader.ended;
    const job_id = JOB_ID;
    const ts = 1_718_000_000_000;
    expect(reader.events).to.deep.equal([
      { event: 'open', id: null, data: { ok: true, job_id, status: 'running', protocol: 'bailing.chat.stream.v1', streaming: true } },
      { event: 'phase', id: '1', data: { job_id, seq: 1, ts, name: 'model', round: 1 } },
      { event: 'delta', id: '2', data: { job_id, seq: 2, ts, text: 'All ', round: 1 } },
      { event: 'delta', id: '3', data: { job_id, seq: 3, ts, text: 'is "well"\n', round: 1 } },
      { event: 'status', id: null, data: { job_id, status: 'done' } },
      { event: 'done', id: null, data: { done: true, job_id, reply: 'All is well' } },
    ]);
  });

  it('tells of a job that failed in general words', async () => {
    const reader = await read();
    become({ status: 'error', error: 'LLM 500 at http://internal' });
    const failed = await reader.until('failed');
    expect(failed.data).to.deep.equal({ done: true, error: true, job_id: JOB_ID, reply: 'The request could not be completed.' });
    await reader.ended;
  });

  it('goes on after the event a reader names, by header or by cursor, and says where something is missing', async () => {
    for (const text of ['a', 'b', 'c']) delta(text);
    become({ status: 'done', result: '{"report":{"n":1}}' });
    const texts = async (headers: Record<string, string>, query = '') => {
      const reader = await read({ ...as(ADMIN_TOKEN), ...headers }, query);
      await reader.ended;
      return reader.events.map(({ event, data }) => (event === 'delta' ? data.text : event === 'done' ? data.reply : event));
    };
    expect(await texts({ 'last-event-id': '2' })).to.deep.equal(['open', 'c', '{"n":1}']);
    expect(await texts({ 'last-event-id': '1' }, '?cursor=2')).to.deep.equal(['open', 'c', '{"n":1}']);
    expect(await texts({}, '?cursor=99')).to.deep.equal(['open', 'reset', 'a', 'b', 'c', '{"n":1}']);
  });

  it('lets a slow reader fall behind and find a gap, instead of keeping everything for it', async () => {
    const reader = await read();
    await reader.until('open');
    reader.pause();
    const size = 8_192;
    for (let i = 0; i < 2_000; i++) {
      delta('x'.repeat(size));
      if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    reader.resume();
    become({ status: 'done', result: '{"text":"end"}' });
    await reader.ended;
    const gaps = reader.events.filter(({ event, data }) => event === 'reset' && data.reason === 'replay_gap');
    expect(gaps.length).to.be.greaterThan(0);
    expect(gaps.at(-1)?.data.latest_seq).to.be.a('number');
    expect(reader.events.at(-1)?.event).to.equal('done');
    const numbers = reader.events.flatMap(({ id }) => (id === null ? [] : [Number(id)]));
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
  });

  it('says nothing but states where the route shows no text', async () => {
    shown = false;
    delta('secret');
    const reader = await read();
    become({ status: 'done', result: '{"text":"reply"}' });
    await reader.ended;
    expect(reader.events.map(({ event }) => event)).to.deep.equal(['open', 'status', 'done']);
    expect(reader.events[0]?.data.streaming).to.equal(false);
  });

  it('ends with a timeout after max_wait', async () => {
    const reader = await read(as(CLIENT_TOKEN), '?max_wait=1000');
    await reader.ended;
    expect(reader.events.map(({ event }) => event)).to.deep.equal(['open', 'timeout']);
  });

  it('pings while nothing happens, and finds a state nobody told of', async () => {
    const told: string[] = [];
    const sink = { send: (event: string) => Promise.resolve(told.push(event) > 0), write: () => Promise.resolve(true) };
    const following = { api: apiOf(streams), after: 0, maxWaitMs: 60_000, pingMs: 20, lookMs: 10 };
    let looks = 0;
    const look = () => Promise.resolve(jobRow(++looks < 8 ? { status: 'running' } : { status: 'done', result: '{"text":"x"}' }));
    await follow(jobRow({ status: 'running' }), sink, new AbortController().signal, { ...following, look });
    expect(told).to.include('ping');
    expect(told.slice(-2)).to.deep.equal(['status', 'done']);
  });

  it('takes eight readers of a job and sixty-four of a client, and another one when one has gone', async () => {
    const refused = async () => (await at.ask('GET', PATH, { token: CLIENT_TOKEN })).json();
    const readers = await Promise.all(Array.from({ length: 8 }, () => read()));
    expect(await refused())
      .to.include({ code: 'BAILING_STREAMS_LIMIT' })
      .and.to.have.property('fix')
      .that.includes('GET /jobs/{id}');
    readers[0]?.close();
    await readers[0]?.ended;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const again = await read();
    await again.until('open');
    for (const reader of [...readers, again]) reader.close();

    const seats = new StreamSeats();
    const leave = Array.from({ length: 64 }, (_, i) => seats.take(`job-${String(i)}`, 'one'));
    expect(() => seats.take('job-0', 'one')).to.throw('open');
    seats.take('job-0', 'other');
    leave[0]?.();
    leave[0]?.();
    seats.take('job-0', 'one');
    expect(() => seats.take('job-1', 'one')).to.throw('open');
  });

  it('encodes an event once for all its readers, and joins those that wait into pieces', async () => {
    for (let i = 0; i < 100; i++) delta('x'.repeat(300));
    const window = await streams.read(JOB_ID, 0);
    const first = nextPiece(JOB_ID, window);
    expect(first?.bytes.length).to.be.within(15_000, 16_384);
    expect(first?.all).to.equal(false);
    const one = async () => nextPiece(JOB_ID, { ...(await streams.read(JOB_ID, 99)) })?.bytes;
    expect(await one()).to.equal(await one());
    expect(nextPiece(JOB_ID, await streams.read(JOB_ID, 100))).to.equal(null);
  });

  it('looks at most once in a while at a stream that is written to faster', async () => {
    let looks = 0;
    const api = apiOf(streams);
    at.hub.follow = { ...api, read: (job, after) => (looks++, api.read(job, after)) };
    const reader = await read();
    await reader.until('open');
    for (let i = 0; i < 100; i++) {
      delta('x');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    become({ status: 'done', result: '{"text":"x"}' });
    await reader.ended;
    expect(reader.events.filter(({ event }) => event === 'delta')).to.have.length(100);
    expect(looks).to.be.lessThan(40);
  });

  it('ends at once when the server stops', async () => {
    const reader = await read();
    await reader.until('open');
    const began = performance.now();
    await at.server.stop();
    await reader.ended;
    expect(performance.now() - began).to.be.lessThan(500);
  });

  it('stops looking when its reader has gone', async () => {
    let looks = 0;
    const plain = at.hub.job.bind(at.hub);
    at.hub.job = (caller, id) => {
      looks++;
      return plain(caller, id);
    };
    const reader = await read();
    await reader.until('open');
    reader.close();
    await reader.ended;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = looks;
    wakeups.notify(`job:${JOB_ID}`);
    delta('x');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(looks).to.equal(before);
  });

  it("refuses bad places and times, strangers, and other clients' jobs", async () => {
    const status = async (token: string | undefined, query: string, headers: Record<string, string> = {}) =>
      (await at.ask('GET', PATH + query, { ...(token !== undefined && { token }), headers })).status;
    expect(await status(CLIENT_TOKEN, '?cursor=-1')).to.equal(400);
    expect(await status(CLIENT_TOKEN, '', { 'last-event-id': 'one' })).to.equal(400);
    expect(await status(CLIENT_TOKEN, '?max_wait=999')).to.equal(400);
    expect(await status(CLIENT_TOKEN, '?max_wait=300001')).to.equal(400);
    expect(await status(undefined, '')).to.equal(401);
    expect(await status(OTHER_TOKEN, '')).to.equal(404);
  });
});
