import * as stories from './stories.js';
import type { Story } from './stories.js';

/**
 * What may be true afterwards. `once`: the write happened exactly once and the job is done. `unknown`: at most once, and the job says that
 * it is unknown. `either`: one of these two, as the job says, because nobody can time the moment. `read`: the job is done with the answer; a read may be asked again. `held`: one open question, nothing sent.
 * `refused`: what was over a limit was not sent, the rest happened once. `unavailable`: nothing was sent, and the job says why.
 */
export type Promised = 'once' | 'unknown' | 'either' | 'read' | 'held' | 'refused' | 'unavailable';

/** How the edge is brought about. A place is a failpoint of the store, or `received`: the business has the request. */
export type Act =
  | { readonly is: 'kill'; readonly at: string; readonly nth?: number }
  /** Killed when the business has answered and the hub has not read it. */
  | { readonly is: 'kill-answered' }
  /** Stopped there and continued when the next process has finished the job. */
  | { readonly is: 'sleep'; readonly at: string }
  /** The database goes away there: `cut`, `lose-answers` and `blip` (back at once) by the network, `lock` by another process that keeps it locked. */
  | { readonly is: 'lose-database'; readonly at: string; readonly how: 'cut' | 'lose-answers' | 'blip' | 'lock'; readonly ms: number }
  /** Nothing happens to the process; the story itself is the trouble. */
  | { readonly is: 'nothing' };

export interface Edge {
  readonly story: Story;
  readonly act: Act;
  readonly promise: Promised;
  /** Writes that happen at the business. */
  readonly effects: number;
  /** Databases where it can happen; all where absent. */
  readonly on?: readonly ('sqlite' | 'mysql')[];
  /** Runs in `npm test` as well. */
  readonly fast?: true;
}

type Kept = Pick<Edge, 'promise' | 'effects'>;
const ONCE: Kept = { promise: 'once', effects: 1 };
const SENT_UNKNOWN: Kept = { promise: 'unknown', effects: 1 };
const UNSENT_UNKNOWN: Kept = { promise: 'unknown', effects: 0 };
const EITHER: Kept = { promise: 'either', effects: 1 };
const UNAVAILABLE: Kept = { promise: 'unavailable', effects: 0 };
const READ: Kept = { promise: 'read', effects: 0 };
const HELD: Kept = { promise: 'held', effects: 0 };
const REFUSED: Kept = { promise: 'refused', effects: 1 };

/** What each unit carries out on the way of these stories, where it has a transaction to itself. */
const STEPS = {
  accept: ['insert-job', 'insert-job-texts', 'insert-line'],
  take: ['expired-candidates', 'next-owner', 'queued-of-owner', 'claim-job', 'jobs-by-ids', 'open-rows-of'],
  intendRead: ['look-before-read', 'look-at-windows', 'take-budget', 'insert-spends', 'insert-line'],
  intendWrite: ['look-before-write', 'look-at-windows', 'take-budget', 'insert-spends', 'insert-intent', 'insert-line'],
  settleWrite: ['line-savepoint', 'insert-line', 'record-answer'],
  finish: ['end-job', 'end-job-texts', 'forget-round', 'insert-line'],
  openApproval: ['hold-job', 'latest-approval', 'reserve-budget', 'insert-approval', 'put-outgoing', 'insert-line'],
  publishSpec: [
    'insert-spec-state',
    'keep-spec-revision',
    'insert-spec-revision',
    'insert-writer',
    'unnamed-heads',
    'insert-line',
    'note-named',
  ],
};

/** Kills at every place of one unit: what is not committed did not happen, what is committed stays. */
function kills(story: Story, unit: string, steps: readonly string[], uncommitted: Kept, committed: Kept, nth = 1): Edge[] {
  const inside = ['before-begin', 'after-begin', ...steps.map((step) => `after-${step}`), 'before-commit'];
  const edge = (place: string, kept: Kept): Edge => ({ story, act: { is: 'kill', at: `${unit}:${place}`, nth }, ...kept });
  return [...inside.map((place) => edge(place, uncommitted)), edge('after-commit', committed)];
}

function kill(story: Story, at: string, kept: Kept, nth = 1): Edge {
  return { story, act: { is: 'kill', at, nth }, ...kept };
}

const inHubWrite = [
  ...kills(stories.WRITE, 'accept', STEPS.accept, ONCE, ONCE),
  ...kills(stories.WRITE, 'keep-spec-set', ['keep-spec-revision', 'keep-spec-set', 'insert-spec-set'], ONCE, ONCE),
  ...kills(stories.WRITE, 'take', STEPS.take, ONCE, ONCE),
  ...kills(stories.WRITE, 'note', ['insert-line'], ONCE, ONCE),
  ...kills(stories.WRITE, 'save-round', ['save-round'], ONCE, ONCE),
  kill(stories.WRITE, 'batch:after-insert-spends', ONCE),
  kill(stories.WRITE, 'batch:after-insert-lines', ONCE),
  ...kills(stories.WRITE, 'intend-write', STEPS.intendWrite, ONCE, UNSENT_UNKNOWN),
  kill(stories.WRITE, 'received', SENT_UNKNOWN),
  { story: stories.WRITE, act: { is: 'kill-answered' }, ...SENT_UNKNOWN } as const,
  ...kills(stories.WRITE, 'settle-write', STEPS.settleWrite, SENT_UNKNOWN, ONCE),
  kill(stories.WRITE, 'save-round:before-commit', ONCE, 2),
  kill(stories.WRITE, 'save-round:after-commit', ONCE, 2),
  ...kills(stories.WRITE, 'finish', STEPS.finish, ONCE, ONCE),
];

const inHubRead = [
  // Nothing is saved before a read, so it shares its transaction with the note that the model was asked.
  ...kills(stories.READING, 'intend-read', ['look-before-read', 'take-budget'], READ, READ),
  kill(stories.READING, 'received', READ),
  // Rides with the next commit, so its line is written by the batch.
  ...kills(stories.READING, 'settle-read', [], READ, READ),
];

const trouble = [
  ...kills(stories.SILENT, 'unknown', ['mark-uncertain', 'insert-line', 'add-failure'], SENT_UNKNOWN, SENT_UNKNOWN),
  ...kills(stories.UNREACHABLE, 'withdraw', ['withdraw-intent', 'insert-line'], UNSENT_UNKNOWN, ONCE),
  ...kills(stories.SLOW, 'renew', ['renew-leases'], EITHER, EITHER),
  kill(stories.NOT_NOW, 'settle-write:after-add-failure', UNSENT_UNKNOWN),
  kill(stories.NOT_NOW, 'intend-write:after-redispatch-intent', ONCE),
  kill(stories.NOT_NOW, 'settle-write:after-clear-failures', SENT_UNKNOWN),
  kill(stories.NOT_NOW_THEN_GONE, 'withdraw:after-withdraw-repeat', UNSENT_UNKNOWN),
  kill(stories.FAILED_READS, 'settle-read:after-add-failure', READ),
  kill(stories.FAILED_READS, 'settle-read:after-clear-failures', READ),
  kill(stories.NO_EVIDENCE, 'settle-write:after-rollback-to-line', SENT_UNKNOWN),
  { story: stories.NO_EVIDENCE, act: { is: 'nothing' }, ...SENT_UNKNOWN } as const,
  ...kills(stories.HELD, 'open-approval', STEPS.openApproval, HELD, HELD),
];

const around = [
  ...kills(stories.BOOT, 'publish-spec', STEPS.publishSpec, ONCE, ONCE),
  kill(stories.TWICE, 'accept:after-job-by-request-id', EITHER),
  ...kills(stories.CLIENT_RATE, 'take-rates', ['look-at-windows', 'insert-spends'], ONCE, ONCE),
  kill(stories.CLIENT_OVER, 'take-rates:after-first-to-leave', ONCE),
  ...kills(stories.STOPPING, 'close-chain', ['unnamed-heads', 'insert-line'], ONCE, ONCE),
  ...kills(stories.PAUSING, 'set-stop', ['set-stop'], ONCE, ONCE),
  ...kills(stories.RESUMING, 'clear-stop', ['clear-stop'], ONCE, ONCE),
];

const executors = [
  ...kills(stories.X_CLAIM, 'take', STEPS.take, ONCE, ONCE),
  kill(stories.X_CLAIM, 'note:after-insert-line', ONCE),
  ...kills(stories.X_WRITE, 'handed-over', ['mark-handed-over'], EITHER, EITHER),
  ...kills(stories.X_WRITE, 'intend-write', ['insert-intent', 'insert-line'], ONCE, UNSENT_UNKNOWN),
  kill(stories.X_WRITE, 'received', SENT_UNKNOWN),
  { story: stories.X_WRITE, act: { is: 'kill-answered' }, ...SENT_UNKNOWN } as const,
  ...kills(stories.X_WRITE, 'settle-write', ['insert-line', 'record-answer'], SENT_UNKNOWN, ONCE),
  ...kills(stories.X_WRITE, 'finish', STEPS.finish, ONCE, ONCE),
  ...kills(stories.X_READ, 'intend-read', STEPS.intendRead, READ, READ),
  kill(stories.X_SLOW_READ, 'settle-read:after-insert-line', READ),
  ...kills(stories.X_BEAT, 'extend', ['extend-leases'], ONCE, ONCE),
  ...kills(stories.X_RETRY, 'put-back', ['requeue-job', 'insert-line'], ONCE, ONCE),
  kill(stories.X_DROPPED, 'put-back:before-commit', ONCE),
  kill(stories.X_DROPPED, 'put-back:after-commit', ONCE),
  kill(stories.X_BUDGET, 'intend-write:after-budget-of-job', REFUSED),
  kill(stories.X_READ_BUDGET, 'intend-read:after-budget-of-job', REFUSED),
  kill(stories.X_RATE, 'intend-write:after-first-to-leave', { promise: 'refused', effects: 3 }),
  kill(stories.X_READ_RATE, 'intend-read:after-first-to-leave', REFUSED),
];

const sleep = (story: Story, at: string, kept: Kept): Edge => ({ story, act: { is: 'sleep', at }, ...kept });
const sleeping = [
  sleep(stories.WRITE, 'intend-write:before-begin', ONCE),
  sleep(stories.WRITE, 'intend-write:after-commit', UNSENT_UNKNOWN),
  sleep(stories.WRITE, 'received', SENT_UNKNOWN),
  sleep(stories.WRITE, 'settle-write:before-begin', SENT_UNKNOWN),
  sleep(stories.WRITE, 'settle-write:after-commit', ONCE),
  sleep(stories.WRITE, 'finish:before-begin', ONCE),
  sleep(stories.X_WRITE, 'intend-write:after-commit', UNSENT_UNKNOWN),
];

type Losing = Extract<Act, { is: 'lose-database' }>;
function lose(story: Story, at: string, how: Losing['how'], ms: number, kept: Kept): Edge {
  return { story, act: { is: 'lose-database', at, how, ms }, ...kept, on: [how === 'lock' ? 'sqlite' : 'mysql'] };
}

/** Longer than a store waits for a lock. */
const LONG = 6_500;
const SHORT = 1_500;
/** An executor is told that nothing was sent and decides for itself; a job in the hub goes on when the database is back. */
const REFUSED_UNSENT: Kept = { promise: 'refused', effects: 0 };
const losing = [stories.WRITE, stories.X_WRITE].flatMap((story) => [
  lose(story, 'intend-write:before-begin', 'cut', SHORT, story.door === 'executor' ? REFUSED_UNSENT : ONCE),
  lose(story, 'intend-write:after-insert-intent', 'cut', SHORT, story.door === 'executor' ? REFUSED_UNSENT : ONCE),
  lose(story, 'intend-write:before-commit', 'lose-answers', SHORT, UNSENT_UNKNOWN),
  lose(story, 'intend-write:before-commit', 'blip', 0, UNSENT_UNKNOWN),
  lose(story, 'received', 'cut', SHORT, SENT_UNKNOWN),
  lose(story, 'settle-write:after-record-answer', 'cut', SHORT, SENT_UNKNOWN),
  lose(story, 'settle-write:before-commit', 'lose-answers', SHORT, ONCE),
  lose(story, 'settle-write:before-commit', 'blip', 0, ONCE),
  lose(story, 'finish:before-commit', 'lose-answers', SHORT, ONCE),
  lose(story, 'intend-write:before-begin', 'lock', LONG, story.door === 'executor' ? REFUSED_UNSENT : UNAVAILABLE),
  lose(story, 'intend-write:before-begin', 'lock', SHORT, ONCE),
  lose(story, 'received', 'lock', LONG, SENT_UNKNOWN),
  lose(story, 'received', 'lock', SHORT, ONCE),
]);

const FAST = new Set([
  'take:after-commit in-hub write',
  'intend-write:before-commit in-hub write',
  'intend-write:after-commit in-hub write',
  'received in-hub write',
  'settle-write:before-commit in-hub write',
  'settle-write:after-commit in-hub write',
  'received executor write',
  'intend-read:after-commit in-hub read',
]);

/** Every edge, in the order a job passes them. */
export const EDGES: readonly Edge[] = [...inHubWrite, ...inHubRead, ...trouble, ...around, ...executors, ...sleeping, ...losing].map(
  (edge) => (edge.act.is === 'kill' && FAST.has(`${edge.act.at} ${edge.story.door} ${edge.story.name}`) ? { ...edge, fast: true } : edge),
);
