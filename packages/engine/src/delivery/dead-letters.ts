import { ALERT, messageOfJob } from '../jobs/messages/words.js';
import type { End, JobRow, NewOutgoing, Outgoing } from '../ports/index.js';
import { carriedBy, DELIVERY } from './carried.js';

/** A delivery or an alert that failed for good is a dead letter (WIRE §10.4), put down in the commit that ends its job, however it ends. */
export function deadLettersOf(job: JobRow, end: End): readonly NewOutgoing[] {
  if (end.status !== 'error') return [];
  const of = { ref: job.id, signAs: '' };
  // What is put down is the first attempt of the letter; its job may have tried more than once.
  const tries = job.attempts + 1;
  const carried = carriedBy(job);
  if (carried) {
    const target = JSON.stringify({ type: job.target, to: carried.to, tries });
    const parent = { job: carried.parent_job_id, requestId: carried.parent_request_id };
    return [{ ...of, ...parent, dedupe: `executor-dead:${job.id}`, kind: 'executor_dead', target, body: job.input }];
  }
  const kept = job.source === DELIVERY || job.source === ALERT ? messageOfJob(job) : null;
  if (!kept) return [];
  const { message, parent_job_id: parent, parent_request_id: requestId } = kept;
  const target = JSON.stringify({ type: message.channel, to: message.to.slice(0, 100).join('|'), tries });
  const about = { job: parent ?? job.id, requestId: requestId ?? job.requestId };
  return [{ ...of, ...about, dedupe: `channel-dead:${job.id}`, kind: 'channel_dead', target, body: message.text }];
}

/** How often the thing a letter holds was tried: by the job that it is of, and by those who sent it again. */
export function attemptsOf({ target, attempt }: Pick<Outgoing, 'target' | 'attempt'>): number {
  const { tries } = JSON.parse(target) as { readonly tries?: unknown };
  return (typeof tries === 'number' ? tries - 1 : 0) + attempt;
}
