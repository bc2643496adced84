import type { JobRow } from '@bailing/engine/ports';
import type { StreamWindow } from '@bailing/plugin-api';
import type { StreamSeats } from './stream-seats.js';

/** Reading a job along while it runs (WIRE §11.7). */
export interface FollowApi {
  /** Who may read along, counted over the whole hub process. */
  readonly seats: StreamSeats;
  /** Whether this job's text may be shown before it ended. */
  streaming(job: JobRow): boolean;
  /** What came after `after` (0: from the beginning). */
  read(job: string, after: number): Promise<StreamWindow>;
  /** Resolves when there is more to read after `after`, on abort, or after `maxMs`. */
  more(job: string, after: number, signal: AbortSignal, maxMs: number): Promise<void>;
  /** Resolves when the job's state may have changed, on abort, or after `maxMs`. */
  moved(job: string, signal: AbortSignal, maxMs: number): Promise<void>;
}
