import type { DeliverySettings, JobRow } from '../ports/index.js';

/** `source` of jobs that deliver an answer. */
export const DELIVERY = 'delivery';
/** A route's `delivery.type: X` is carried by executors of the target `X-notify` (WIRE §10.3). */
const NOTIFY = '-notify';

/** What a job keeps in its metadata that carries an answer through an executor. */
export interface Carried {
  /** Recipients, separated by `|`. */
  readonly to: string;
  readonly parent_job_id: string;
  readonly parent_request_id: string;
  /** Which end of the parent it carries. */
  readonly delivers: string;
  /** The `delivery` of the parent's route as it was when the parent ended; the job's `target_config`. */
  readonly delivery: DeliverySettings;
}

export function notifyTarget(type: string): string {
  return `${type}${NOTIFY}`;
}

/** Null for a job that carries nothing. A client can neither leave out the route nor choose the source of its jobs. */
export function carriedBy(job: Pick<JobRow, 'source' | 'route' | 'target' | 'metadata'>): Carried | null {
  if (job.source !== DELIVERY || job.route !== '' || !job.target.endsWith(NOTIFY)) return null;
  const metadata = JSON.parse(job.metadata) as Partial<Carried>;
  return typeof metadata.delivers === 'string' ? (metadata as Carried) : null;
}
