import type { JobRow } from '@bailing/engine/ports';
import { setTimeout as pause } from 'node:timers/promises';
import { nextPiece, type Piece } from './event-frames.js';
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

/** Between two looks at what is new: fragments that come faster than this wait for each other and go out together. */
const PACE_MS = 25;

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
  private toldAt = -PACE_MS;

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
      return await this.paced();
    } finally {
      watch.stop();
    }
  }

  /** Listening begins before looking, so that no change falls between the two. */
  private watch() {
    const stop = new AbortController();
    const gone = () => stop.abort();
    if (this.signal.aborted) gone();
    this.signal.addEventListener('abort', gone, { once: true });
    const { signal } = stop;
    const { api } = this.following;
    const forMs = Math.max(0, Math.min(this.lookMs, this.until - performance.now()));
    const moved = api.moved(this.job.id, signal, forMs).then(() => {
      this.moved = true;
    });
    const woken = () => (this.streaming ? Promise.race([moved, api.more(this.job.id, this.place, signal, forMs)]) : moved);
    const over = () => {
      this.signal.removeEventListener('abort', gone);
      gone();
    };
    return { woken, stop: over };
  }

  /** Waits until the pace allows another look. False: the reader is gone. */
  private async paced(): Promise<boolean> {
    const early = this.toldAt + PACE_MS - performance.now();
    if (early <= 0) return true;
    try {
      await pause(early, undefined, { signal: this.signal });
      return true;
    } catch {
      return false;
    }
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

  /**
   * Piece by piece, and what comes next is asked for after a piece was taken: a reader that takes nothing holds one piece, and finds a gap where the
   * stream has forgotten the rest meanwhile.
   */
  private async tell(): Promise<boolean> {
    while (this.streaming) {
      const { gapAt, piece } = await this.next();
      if (gapAt !== null) {
        this.place = gapAt;
        if (!(await this.sink.send('reset', { job_id: this.job.id, reason: 'replay_gap', latest_seq: gapAt }))) return false;
      }
      if (!piece) return true;
      if (!(await this.sink.write(piece.bytes))) return false;
      this.place = piece.last;
      this.toldAt = performance.now();
      if (piece.all) return true;
    }
    return true;
  }

  /** On its own, so that no window is held while a reader is waited for. */
  private async next(): Promise<{ readonly gapAt: number | null; readonly piece: Piece | null }> {
    const window = await this.following.api.read(this.job.id, this.place);
    return { gapAt: window.gap ? window.latest : null, piece: nextPiece(this.job.id, window) };
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
