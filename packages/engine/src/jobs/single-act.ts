import { DELIVERY } from '../delivery/carried.js';
import type { JobRow, JobStatus } from '../ports/index.js';
import { DEBUG_INVOKE } from './debug/words.js';
import { CHANNEL_SEND } from './messages/words.js';

/** A debug call is tried anew under another id: nobody waits for this one any more. */
const DEBUG_STAYS: readonly JobStatus[] = ['done', 'error', 'rejected'];
/** A message that was sent, or an answer that was carried; one that failed may be tried again. */
const SENT_STAYS: readonly JobStatus[] = ['done'];

/**
 * The ends of a job that a rerun does not undo. Empty for a job with a brain: what that proposes again goes through the exit again. A job that is one
 * act has nobody who would propose, so running it again is to do it again.
 */
export function stayingEnds({ target, source }: Pick<JobRow, 'target' | 'source'>): readonly JobStatus[] {
  if (target === DEBUG_INVOKE) return DEBUG_STAYS;
  return target === CHANNEL_SEND || source === DELIVERY ? SENT_STAYS : [];
}
