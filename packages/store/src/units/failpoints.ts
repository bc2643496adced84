/**
 * The statements each unit carries out, in the order of its longest run. A test holds this list against what units really do, so every
 * place where a process can die is known by name.
 */
const CHAIN = ['insert-writer', 'unnamed-heads', 'insert-line', 'note-named'] as const;
const STEPS: Readonly<Record<string, readonly string[]>> = {
  accept: ['insert-job', 'job-by-request-id', 'insert-job-texts', ...CHAIN],
  take: ['expired-candidates', 'queued-candidates', 'claim-job', 'jobs-by-ids', 'open-rows-of'],
  extend: ['extend-leases'],
  renew: ['renew-leases', 'still-held'],
  'put-back': ['requeue-job', ...CHAIN],
  finish: ['end-job', 'end-job-texts', ...CHAIN],
  'intend-read': ['look-before-read', 'take-budget', 'budget-of-job', 'look-at-windows', 'first-to-leave', 'insert-spends', ...CHAIN],
  'intend-write': [
    'look-before-write',
    'take-budget',
    'budget-of-job',
    'look-at-windows',
    'first-to-leave',
    'insert-spends',
    'insert-intent',
    'redispatch-intent',
    ...CHAIN,
  ],
  'settle-read': [...CHAIN, 'add-failure', 'clear-failures'],
  'settle-write': ['line-savepoint', ...CHAIN, 'rollback-to-line', 'record-answer', 'add-failure', 'clear-failures'],
  unknown: ['mark-uncertain', ...CHAIN, 'add-failure'],
  withdraw: ['withdraw-intent', 'withdraw-repeat', ...CHAIN],
  note: [...CHAIN],
  'open-approval': ['hold-job', 'latest-approval', 'insert-approval', ...CHAIN],
  'take-rates': ['look-at-windows', 'first-to-leave', 'insert-spends'],
  'set-stop': ['set-stop'],
  'clear-stop': ['clear-stop'],
  'put-spec': ['put-spec', 'note-probe'],
  'put-record': ['record-revision', 'update-record', 'insert-record'],
  'drop-record': ['drop-record'],
  'prune-spends': ['prune-spends', 'drop-idle-bucket'],
  'prune-records': ['prune-records'],
  'close-chain': ['unnamed-heads', 'insert-line', 'note-named'],
};

/** Where a transaction of several units writes what it kept for its end. */
const BATCH = ['batch:after-insert-spends', 'batch:after-insert-lines'];

/**
 * Every name the `failpoint` option may be called with: `<unit>:before-begin`, `:after-begin`, `:after-<statement>`, `:before-commit`,
 * `:after-commit`, and two of a batch.
 */
export const failpoints: readonly string[] = Object.freeze([
  ...Object.entries(STEPS).flatMap(([unit, steps]) => [
    `${unit}:before-begin`,
    `${unit}:after-begin`,
    ...steps.map((step) => `${unit}:after-${step}`),
    `${unit}:before-commit`,
    `${unit}:after-commit`,
  ]),
  ...BATCH,
]);
