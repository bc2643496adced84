import type { StreamEvent, StreamedEvent, StreamWindow } from '@bailing/plugin-api';

/** WIRE §14.2: what one job may keep for readers that come back. */
export const EVENTS_PER_JOB = 512;
export const BYTES_PER_JOB = 512 * 1_024;

/** Counted for an event besides its text. */
const EVENT_BYTES = 64;

/** The newest events of one job. Numbers go on where old events are forgotten. */
export class Ring {
  private readonly kept: StreamedEvent[] = [];
  private bytes = 0;
  private last = 0;

  constructor(public touchedAt: number) {}

  push(event: StreamEvent, at: number): void {
    this.touchedAt = at;
    this.kept.push({ seq: ++this.last, at, event });
    this.bytes += sizeOf(event);
    while (this.kept.length > EVENTS_PER_JOB || (this.bytes > BYTES_PER_JOB && this.kept.length > 0)) this.forget();
  }

  get latest(): number {
    return this.last;
  }

  /** A place that is ahead of this ring belongs to a process that is gone: a gap, and everything from the start. */
  after(place: number): StreamWindow {
    const known = place <= this.last;
    const first = this.kept[0]?.seq ?? this.last + 1;
    const from = known ? place : 0;
    return { events: this.kept.slice(Math.max(0, from + 1 - first)), latest: this.last, gap: !known || from + 1 < first };
  }

  private forget(): void {
    const oldest = this.kept.shift();
    if (oldest) this.bytes -= sizeOf(oldest.event);
  }
}

function sizeOf(event: StreamEvent): number {
  return EVENT_BYTES + (event.is === 'delta' ? Buffer.byteLength(event.text) : 0);
}
