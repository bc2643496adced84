import type { JobRow, JobThread, Line, NewJob } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { jobByRequestId } from '../statements/jobs-read.js';
import { insertJob, insertJobTexts } from '../statements/jobs-write.js';
import { cancelJob, setJobError } from '../statements/jobs-rerun.js';
import { bumpThread, inFlightOfThread, insertThread, threadByScope } from '../statements/threads.js';
import { change, rows, type Steps, Undo, type Unit } from '../lane/unit.js';
import { jobRow } from './job-row.js';

export type Accepted = { readonly is: 'new' | 'same'; readonly job: JobRow } | { readonly is: 'foreign' };

/**
 * One commit: the job, its place on its thread and its `received` line. The unique key of request_id decides who was first, also at the same
 * moment. A job that finds its thread full is accepted and over at once.
 */
export function accept(job: NewJob, line: Line, admin: boolean): Unit<Accepted> {
  const { thread, refusal: launch, ...plain } = job;
  return {
    name: 'accept',
    key: thread ? `thread:${job.route}:${thread.scope}` : job.id,
    *run(tx) {
      const place = thread ? yield* join(job, thread) : null;
      const { sessionId, isContinue } = { ...job, ...place };
      const placed = { ...plain, sessionId, isContinue, callbackUrl: job.callbackUrl ?? null, profile: job.profile ?? '' };
      if (!(yield* tryInsert(placed, place))) return new Undo<Accepted>(yield* earlier(job, admin));
      yield* change(insertJobTexts, [job.id, job.input, job.metadata, placed.callbackUrl, placed.profile]);
      yield* append(tx, place ? withPlace(line, place) : line);
      const refusal = launch ?? (place?.full ? thread?.refusal : undefined);
      if (refusal) {
        yield* change(cancelJob, ['rejected', job.createdAt, job.id]);
        yield* change(setJobError, [refusal.error, job.id]);
        yield* append(tx, refusal.line);
      }
      const fresh = { result: null, usage: null, attempts: 0, callsUsed: 0, specSet: null, updatedAt: job.createdAt } as const;
      const status = refusal ? 'rejected' : 'queued';
      return { is: 'new', job: { ...placed, ...fresh, status, error: refusal?.error ?? null, threadId: place?.id ?? null } };
    },
  };
}

interface Place {
  readonly id: number;
  readonly seq: number;
  readonly full: boolean;
  readonly sessionId: string;
  readonly isContinue: boolean;
}

/** The next place on a thread, which is made where there is none. */
function* join(job: NewJob, { scope, keepsSession, maxInFlight }: JobThread): Steps<Place> {
  if ((yield* change(bumpThread, [job.route, scope])) === 0 && !(yield* tryThread(job, scope)))
    yield* change(bumpThread, [job.route, scope]);
  const [found] = yield* rows(threadByScope, [job.route, scope]);
  if (!found) throw new RangeError('A thread that was just joined is gone.');
  const [inFlight] = yield* rows(inFlightOfThread, [found.id]);
  const session = keepsSession ? { sessionId: found.session_id, isContinue: found.last_seq > 1 } : job;
  const { sessionId, isContinue } = session;
  return { id: found.id, seq: found.last_seq, full: Number(inFlight?.n ?? 0) >= maxInFlight, sessionId, isContinue };
}

function* tryThread(job: NewJob, scope: string): Steps<boolean> {
  try {
    yield* change(insertThread, [job.route, scope, job.sessionId, job.createdAt]);
    return true;
  } catch (error) {
    if (isFault(error, 'duplicate')) return false;
    throw error;
  }
}

/** The line was made before anybody knew the session. */
function withPlace(line: Line, { id, sessionId, isContinue }: Place): Line {
  const detail = { ...(JSON.parse(line.detail) as object), session: sessionId, continue: isContinue, thread_id: id };
  return { ...line, detail: JSON.stringify(detail) };
}

function* tryInsert(job: NewJob, place: Place | null): Steps<boolean> {
  const { id, requestId, owner, route, target, source, principalId, sessionId, isContinue, maxAttempts, createdAt } = job;
  try {
    const key = [id, requestId, owner, route, target, source, principalId, sessionId] as const;
    const times = [createdAt, createdAt, createdAt] as const;
    yield* change(insertJob, [...key, isContinue ? 1 : 0, maxAttempts, ...times, place?.id ?? null, place?.seq ?? null]);
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
