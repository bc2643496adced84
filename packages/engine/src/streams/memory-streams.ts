import type { Clock, StreamEvent, Streams, StreamWindow } from '@bailing/plugin-api';
import type { Wakeups } from '../ports/index.js';
import { Ring } from './ring.js';

/** WIRE §14.2. */
const JOBS = 1_000;
const KEPT_MS = 10 * 60_000;

const NOTHING: StreamWindow = Object.freeze({ events: Object.freeze([]), latest: 0, gap: false });

/** Streams inside one process, bounded per job, in jobs and in time. Readers of other replicas see a job's states but not its text. */
export class MemoryStreams implements Streams {
  /** In the order in which jobs were last written to: the first is forgotten first. */
  private readonly rings = new Map<string, Ring>();

  constructor(
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
  ) {}

  publish(job: string, event: StreamEvent): void {
    const now = this.clock.now();
    const ring = this.rings.get(job) ?? new Ring(now);
    this.rings.delete(job);
    this.rings.set(job, ring);
    ring.push(event, now);
    this.forgetOld(now);
    this.wakeups.notify(topicOf(job));
  }

  read(job: string, after: number): Promise<StreamWindow> {
    this.forgetOld(this.clock.now());
    const ring = this.rings.get(job);
    if (ring) return Promise.resolve(ring.after(after));
    return Promise.resolve(after > 0 ? { ...NOTHING, gap: true } : NOTHING);
  }

  wait(job: string, after: number, signal: AbortSignal, maxMs: number): Promise<void> {
    const latest = this.rings.get(job)?.latest ?? 0;
    return latest > after ? Promise.resolve() : this.wakeups.wait(topicOf(job), signal, maxMs);
  }

  private forgetOld(now: number): void {
    for (const [job, ring] of this.rings) {
      if (this.rings.size <= JOBS && ring.touchedAt + KEPT_MS > now) return;
      this.rings.delete(job);
    }
  }
}

function topicOf(job: string): string {
  return `stream:${job}`;
}
