import type { JobRow, Line, NewJob } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { jobByRequestId } from '../statements/jobs-read.js';
import { insertJob, insertJobTexts } from '../statements/jobs-write.js';
import { change, rows, type Steps, Undo, type Unit } from '../lane/unit.js';
import { jobRow } from './job-row.js';

export type Accepted = { readonly is: 'new' | 'same'; readonly job: JobRow } | { readonly is: 'foreign' };

/** One commit: the job and its `received` line. The unique key of request_id decides who was first, also at the same moment. */
export function accept(job: NewJob, line: Line, admin: boolean): Unit<Accepted> {
  return {
    name: 'accept',
    key: job.id,
    *run(tx) {
      if (!(yield* tryInsert(job))) return new Undo<Accepted>(yield* earlier(job, admin));
      yield* change(insertJobTexts, [job.id, job.input, job.metadata, job.callbackUrl ?? null]);
      yield* append(tx, line);
      const fresh = { status: 'queued', result: null, error: null, usage: null, attempts: 0, callsUsed: 0, specSet: null } as const;
      return { is: 'new', job: { ...job, ...fresh, callbackUrl: job.callbackUrl ?? null, updatedAt: job.createdAt } };
    },
  };
}

function* tryInsert(job: NewJob): Steps<boolean> {
  const { id, requestId, owner, route, target, source, principalId, sessionId, isContinue, maxAttempts, createdAt } = job;
  try {
    const key = [id, requestId, owner, route, target, source, principalId, sessionId] as const;
    yield* change(insertJob, [...key, isContinue ? 1 : 0, maxAttempts, createdAt, createdAt, createdAt]);
    return true;
  } catch (error) {
    if (isFault(error, 'duplicate')) return false;
    throw error;
  }
}

function* earlier(job: NewJob, admin: boolean): Steps<Accepted> {
  const [found] = yield* rows(jobByRequestId, [job.requestId]);
  if (!found) throw new RangeError(`The id of a new job is taken by a job with another request_id.`);
  return admin || found.owner === job.owner ? { is: 'same', job: jobRow(found) } : { is: 'foreign' };
}
