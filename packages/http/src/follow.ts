import type { JobRow } from '@bailing/engine/ports';
import type { StreamedEvent } from '@bailing/plugin-api';
import type { FollowApi } from './follow-api.js';
import type { EventSink } from './sse.js';
import { endedEvent } from './views/ended.js';

/** The name of the protocol (WIRE §14.2). */
export const STREAM_PROTOCOL = 'bailing.chat.stream.v1';

export interface Following {
  readonly api: FollowApi;
  /** The job as it is now; null where it is gone. */
  readonly look: () => Promise<JobRow | null>;
  /** Sequence number after which to go on. */
  readonly after: number;
  /** Milliseconds. */
  readonly maxWaitMs: number;
  readonly pingMs?: number;
  /** How often the state is looked at when nobody tells of a change: jobs may run in another process. */
  readonly lookMs?: number;
}

const ENDED: ReadonlySet<string> = new Set(['done', 'error', 'rejected']);

/** Tells one reader of one job until it ended, the time is over, or the reader is gone. */
export async function follow(job: JobRow, sink: EventSink, signal: AbortSignal, following: Following): Promise<void> {
  await new Follower(job, sink, signal, following).run();
}

class Follower {
  private readonly pingMs: number;
  private readonly lookMs: number;
  private readonly streaming: boolean;
  private readonly until: number;
  private place: number;
  private told: string;
  private pinged = performance.now();
  private moved = true;

  constructor(
    private job: JobRow,
    private readonly sink: EventSink,
    private readonly signal: AbortSignal,
    private readonly following: Following,
  ) {
    this.pingMs = following.pingMs ?? 10_000;
    this.lookMs = following.lookMs ?? 2_000;
    this.told = job.status;
    this.streaming = following.api.streaming(job);
    this.until = performance.now() + following.maxWaitMs;
    this.place = following.after;
  }

  async run(): Promise<void> {
    const { id, status } = this.job;
    const open = { ok: true, job_id: id, status, protocol: STREAM_PROTOCOL, streaming: this.streaming };
    let going = await this.sink.send('open', open);
    while (going && !this.signal.aborted) going = await this.step();
  }

  /** One look and what is new since the last one. False: that was all. */
  private async step(): Promise<boolean> {
    const watch = this.watch();
    try {
      const ended = await this.look();
      if (!(await this.tell()) || !(await this.tellStatus())) return false;
      if (ended) return this.last();
      if (performance.now() >= this.until) return this.over();
      if (!(await this.ping())) return false;
      await watch.woken();
      return true;
    } finally {
      watch.stop();
    }
  }

  /** Listening begins before looking, so that no change falls between the two. */
  private watch() {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.signal, stop.signal]);
    const { api } = this.following;
    const forMs = Math.max(0, Math.min(this.lookMs, this.until - performance.now()));
    const moved = api.moved(this.job.id, signal, forMs).then(() => {
      this.moved = true;
    });
    const woken = () => (this.streaming ? Promise.race([moved, api.more(this.job.id, this.place, signal, forMs)]) : moved);
    return { woken, stop: () => stop.abort() };
  }

  /** True when the job has ended. A job that is gone has. */
  private async look(): Promise<boolean> {
    if (!this.moved) return false;
    this.moved = false;
    const found = await this.following.look();
    if (!found) return true;
    this.job = found;
    return ENDED.has(found.status);
  }

  private async tellStatus(): Promise<boolean> {
    const { id, status } = this.job;
    if (status === this.told) return true;
    this.told = status;
    return this.sink.send('status', { job_id: id, status });
  }

  private async tell(): Promise<boolean> {
    if (!this.streaming) return true;
    const { events, latest, gap } = await this.following.api.read(this.job.id, this.place);
    if (gap) {
      this.place = latest;
      if (!(await this.sink.send('reset', { job_id: this.job.id, reason: 'replay_gap', latest_seq: latest }))) return false;
    }
    for (const event of events) {
      if (!(await this.sink.send(event.event.is, dataOf(this.job.id, event), event.seq))) return false;
      this.place = event.seq;
    }
    return true;
  }

  private async last(): Promise<false> {
    const { event, data } = endedEvent(this.job);
    await this.sink.send(event, data);
    return false;
  }

  private async over(): Promise<false> {
    await this.sink.send('timeout', { done: false, job_id: this.job.id });
    return false;
  }

  private async ping(): Promise<boolean> {
    if (performance.now() - this.pinged < this.pingMs) return true;
    this.pinged = performance.now();
    return this.sink.send('ping', { ts: Date.now(), job_id: this.job.id });
  }
}

function dataOf(job: string, { seq, at, event }: StreamedEvent): Record<string, unknown> {
  const { is, ...more } = event;
  void is;
  return { job_id: job, seq, ts: at, ...more };
}
