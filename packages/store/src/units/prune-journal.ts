import type { Ms } from '@bailing/engine/ports';
import { dropExecutions, dropFailures, dropSent, endedJobs, jobsInNeed, type JournalStep } from '../statements/retention.js';
import { chunks, padded } from '../statements/statement.js';
import { change, rows, type Steps, type Unit } from '../lane/unit.js';

/**
 * One commit: completed journal rows go, of jobs that are over and that nothing waits for (WIRE §8.3). Everything is looked at again here, under
 * the lock of the job: a job that is queued again before this keeps its rows, and one that is queued again after it has none to read.
 */
export function pruneJournal(found: readonly JournalStep[], before: Ms): Unit<number> {
  return {
    name: 'prune-journal',
    key: 'retention',
    *run() {
      let gone = 0;
      for (const some of chunks(found)) {
        const free = yield* jobsFree([...new Set(some.map((row) => row.job_id))], before);
        const ids = some.filter((row) => free.has(row.job_id)).map(({ id }) => id);
        if (ids.length > 0) gone += yield* change(dropExecutions.of(ids.length), [...padded(ids), before]);
      }
      return gone;
    },
  };
}

/** One commit: the failure streaks of jobs that are over. */
export function pruneFailures(jobs: readonly string[], before: Ms): Unit<number> {
  return {
    name: 'prune-failures',
    key: 'retention',
    *run() {
      const free = [...(yield* jobsFree(jobs, before))];
      return free.length === 0 ? 0 : yield* change(dropFailures.of(free.length), padded(free));
    },
  };
}

/** One commit: what was sent. What was given up waits for a person. */
export function pruneSent(found: readonly number[]): Unit<number> {
  return {
    name: 'prune-sent',
    key: 'retention',
    *run() {
      let gone = 0;
      for (const ids of chunks(found)) gone += yield* change(dropSent.of(ids.length), padded(ids));
      return gone;
    },
  };
}

/** Those among some jobs that ended by a given time and that nothing waits for; locked where there is more than one writer. */
function* jobsFree(jobs: readonly string[], before: Ms): Steps<ReadonlySet<string>> {
  const ended = (yield* rows(endedJobs.of(jobs.length), [...padded(jobs), before])).map(({ id }) => id);
  if (ended.length === 0) return new Set();
  const asked = padded(ended);
  const needed = new Set((yield* rows(jobsInNeed.of(ended.length), [...asked, ...asked, ...asked])).map((row) => row.job_id));
  return new Set(ended.filter((id) => !needed.has(id)));
}
