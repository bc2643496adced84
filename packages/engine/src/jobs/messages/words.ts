import type { OutMessage } from '../../messages/index.js';
import type { JobRow } from '../../ports/index.js';

/** The target of jobs that are one message (WIRE §10.5); worked on by the hub itself, named by no route. */
export const CHANNEL_SEND = 'channel-send';
/** `source` of jobs that tell an alert. What fails among them is never an alert itself. */
export const ALERT = 'alert';

/** What a job of this kind keeps in its metadata. */
export interface MessageMetadata {
  readonly message: OutMessage;
  /** Whose answer is delivered; absent for `POST /send`. */
  readonly parent_job_id?: string;
  readonly parent_request_id?: string;
  /** Which end of the parent is delivered: a job that runs again ends again, and its later answer is another message. */
  readonly delivers?: string;
}

/** Null for a job that is none, or whose metadata somebody else wrote. */
export function messageOfJob(job: Pick<JobRow, 'target' | 'metadata'>): MessageMetadata | null {
  if (job.target !== CHANNEL_SEND) return null;
  const metadata = JSON.parse(job.metadata) as Partial<MessageMetadata>;
  const { channel, to } = metadata.message ?? {};
  return typeof channel === 'string' && Array.isArray(to) ? (metadata as MessageMetadata) : null;
}
