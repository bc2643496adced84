import { BailingError } from '@bailing/plugin-api';

/** Open streams that one job, and one client over all its jobs, may have at a time on one replica. */
export const STREAMS_PER_JOB = 8;
export const STREAMS_PER_CLIENT = 64;

/** Who reads along. Every reader costs a connection, its buffers and a share of every event, so that they are counted. */
export class StreamSeats {
  private readonly taken = new Map<string, number>();

  constructor(
    private readonly perJob = STREAMS_PER_JOB,
    private readonly perClient = STREAMS_PER_CLIENT,
  ) {}

  /** A seat, until the function it answers is called; calling that again does nothing. @throws BAILING_STREAMS_LIMIT */
  take(job: string, client: string): () => void {
    const seats = [
      { key: `job:${job}`, most: this.perJob, whose: 'of this job' },
      { key: `client:${client}`, most: this.perClient, whose: 'of this client' },
    ];
    const full = seats.find(({ key, most }) => (this.taken.get(key) ?? 0) >= most);
    if (full) throw new BailingError('BAILING_STREAMS_LIMIT', { detail: `${String(full.most)} streams ${full.whose} are open.` });
    for (const { key } of seats) this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (held) for (const { key } of seats) this.leave(key);
      held = false;
    };
  }

  /** Nothing is kept of jobs and clients that nobody reads. */
  private leave(key: string): void {
    const left = (this.taken.get(key) ?? 0) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}
