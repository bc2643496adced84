import fs from 'node:fs';
import path from 'node:path';
import { failpoints } from '@bailing/store';
import { expect } from 'chai';
import { isCurrent } from '../crash/document.js';
import { EDGES } from '../crash/edges.js';
import { titleOf } from '../crash/words.js';
import { root } from '../support/root.js';

/** Units a job and its calls are made of: a process dies at every single place of these. */
const CALL_PATH = [
  ...['accept', 'keep-spec-set', 'take', 'note', 'save-round', 'intend-read', 'intend-write', 'settle-read', 'settle-write', 'unknown'],
  ...[
    'withdraw',
    'open-approval',
    'put-back',
    'renew',
    'handed-over',
    'extend',
    'finish',
    'take-rates',
    'set-stop',
    'clear-stop',
    'close-chain',
  ],
  ...['publish-spec', 'batch'],
];

/** Places of the call path that the stories of the matrix do not pass, and where they are passed, or why they need no case of their own. */
const EXPLAINED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?!publish-spec).*:after-(insert-writer|unnamed-heads|note-named)$/,
    'a chain begins once in a process: killed where the tools are published',
  ],
  [/^intend-write:after-(take-reserved|spend-approval|approval-state)$/, 'an approved call: crash/approvals.test.ts'],
  [
    /^intend-write:after-(hold-job|free-reserved)$/,
    'a message, counted apart: one transaction with its journal row, crash/messages.test.ts',
  ],
  [
    /^withdraw:after-(reserve-again|reserve-anew|unspend-approval)$/,
    'an approved call that did not leave: one transaction with the withdrawal',
  ],
  [
    /^open-approval:after-(end-approval|give-back-reserved|budget-of-job)$/,
    'a question that takes the place of another, or that is refused: nothing is committed',
  ],
  [/^renew:after-still-held$/, 'read after the leases were written, in the same transaction'],
  [
    /^finish:after-(lock-job|any-unspent|end-marked|put-outgoing)$/,
    'a job with a decision or a callback waiting: one transaction with its end',
  ],
  [/^finish:after-(clear-stop|stop-is-set)$/, 'a job that is being cancelled: a read, or one transaction with its end'],
  [/^take:after-older-on-thread$/, 'a read before anything is written'],
  [
    /^accept:after-(bump-thread|insert-thread|thread-by-scope|in-flight-of-thread|cancel-job|set-job-error)$/,
    'a job of a conversation: one transaction with its acceptance',
  ],
  [
    /^publish-spec:after-(advance-spec-state|put-spec|delete-spec-frozen|insert-spec-frozen)$/,
    'a later revision: one transaction with its publication',
  ],
  [/^keep-spec-set:after-insert-spec-revision$/, 'a revision that was collected meanwhile'],
];

/** Units with crash cases in another file, which names them. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'test/src/crash/approvals.test.ts': ['decide', 'expire-approvals', 'void-approvals', 'settle-unresolved', 'begin-probe', 'end-probe'],
  'test/src/crash/objects.test.ts': ['write-objects'],
  'test/src/crash/retention.test.ts': ['prune-journal', 'prune-failures', 'prune-sent', 'tell-cuts', 'retell-cuts', 'prune-ledger'],
};

/** Units that no call and no end of a job waits for: what they did not commit is done again by the next round of the same duty or the next request. */
const REPEATED: Readonly<Record<string, string>> = {
  'take-approved': 'claims like `take`; what was claimed and not worked on is claimed again when its lease ends',
  'hand-back': 'gives a job to the next executor; a job not given back is taken again when its lease ends',
  cancel: 'an operator asks again; the state of the job answers the second time',
  rerun: 'an operator asks again; the state of the job answers the second time',
  'let-go': 'a job whose lease is over and that does not wait again is found by the next round',
  'expire-job': 'a job that waited too long and is not ended is found again by the next round',
  'keep-said': 'what was said is written down again when the job is taken again',
  'keep-summary': 'a summary that was not kept is written again at the next job of the conversation',
  'put-outgoing': 'a test message asked for by an operator',
  'take-outgoing': 'a delivery taken and not ended is taken again when its lease ends',
  'retake-outgoing': 'an operator asks again',
  'keep-body': 'a body composed again is the same body',
  'end-outgoing': 'a delivery without its end is made again; receivers know its id',
  'resolve-outgoing': 'an operator asks again',
  'note-unresolved': 'told again by the next round',
  'postpone-probe': 'probed again by the next round',
  'hold-duty': 'a duty not held is held by the next who looks',
  'put-spec': 'written again by the next reading of the document',
  'attempt-spec-refresh': 'attempted again by the next round',
  'note-authz': 'probed again by the next round',
  'accept-frozen': 'an operator asks again; the second acceptance finds nothing frozen',
  'collect-specs': 'collected by the next round',
  'keep-outbound': 'the message is in the journal; it is put into conversations again when its job goes on',
  'put-record': 'a plugin writes its record again',
  'drop-record': 'a plugin drops its record again',
  'reseal-object': 'one row, changed only where it is still as it was read: sealed anew by whoever does it next',
  'prune-spends': 'pruned by the next round',
  'prune-records': 'pruned by the next round',
};

const unitOf = (place: string): string => place.split(':')[0] ?? '';
const units = [...new Set(failpoints.map(unitOf))];
const killedAt = new Set(EDGES.flatMap(({ act }) => (act.is === 'kill' ? [act.at] : [])));

describe('promises: every unit of the store has a crash case', () => {
  it('a process dies at every place of the call path that a story passes', () => {
    const open = failpoints.filter((place) => CALL_PATH.includes(unitOf(place)) && !killedAt.has(place));
    expect(open.filter((place) => !EXPLAINED.some(([pattern]) => pattern.test(place)))).to.deep.equal([]);
  });

  it('every other unit has its cases elsewhere, or is done again by whoever asks next', () => {
    const known = [...CALL_PATH, ...Object.values(ELSEWHERE).flat(), ...Object.keys(REPEATED)];
    expect(
      units.filter((unit) => !known.includes(unit)),
      'new units: give them edges in test/src/crash, or say here why they need none',
    ).to.deep.equal([]);
    expect(known.filter((unit) => !units.includes(unit))).to.deep.equal([]);
    expect(new Set(known).size).to.equal(known.length);
  });

  it('cases elsewhere are really there', () => {
    for (const [file, names] of Object.entries(ELSEWHERE)) {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      expect(names.filter((unit) => !text.includes(`'${unit}'`))).to.deep.equal([]);
    }
  });

  it('every explanation explains something, and no edge names a place that does not exist', () => {
    for (const [pattern] of EXPLAINED)
      expect(
        failpoints.some((place) => pattern.test(place) && !killedAt.has(place)),
        String(pattern),
      ).to.equal(true);
    const places = EDGES.flatMap(({ act }) => ('at' in act && act.at !== 'received' ? [act.at] : []));
    expect(places.filter((place) => !failpoints.includes(place))).to.deep.equal([]);
  });

  it('every edge has a name of its own', () => {
    const titles = EDGES.map(titleOf);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).to.deep.equal([]);
  });

  it('docs/reference/failures.md is what the edges make', () => {
    expect(isCurrent(), 'run `npm run crash-matrix`').to.equal(true);
  });
});
