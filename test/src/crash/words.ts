import type { Act, Edge, Promised } from './edges.js';

const UNITS: Readonly<Record<string, string>> = {
  accept: 'accepting the job',
  'keep-spec-set': 'pinning its tools',
  take: 'taking the job',
  note: 'noting its beginning',
  'save-round': 'saving where the model loop stands',
  batch: 'a transaction shared with a note',
  'intend-read': 'intend commit of the read',
  'intend-write': 'intend commit',
  'settle-read': 'writing the result of the read',
  'settle-write': 'settle commit',
  unknown: 'noting the unknown outcome',
  withdraw: 'taking back what was not sent',
  finish: 'finishing the job',
  renew: 'renewing the lease',
  'handed-over': 'noting that the executor has it',
  extend: 'extending the lease',
  'put-back': 'giving the job back',
  'open-approval': 'opening the question',
  'publish-spec': 'publishing the tools',
  'take-rates': 'counting the submission',
  'close-chain': 'closing the ledger chain',
  'set-stop': 'setting the stop flag',
  'clear-stop': 'clearing the stop flag',
};

/** A place in words: `settle commit, after record-answer`. */
function placeOf(at: string): string {
  if (at === 'received') return 'the business has the request';
  const [unit = '', place = ''] = at.split(':');
  return `${UNITS[unit] ?? unit}, ${place.replace('-', ' ')}`;
}

const LOST = {
  cut: 'database cut off',
  'lose-answers': 'answer of COMMIT lost with the database',
  blip: 'answer of COMMIT lost, database back at once',
  lock: 'database locked by another process',
};

/** What is done, in a few words. */
export function actOf(act: Act): string {
  switch (act.is) {
    case 'kill':
    case 'kill-answered':
      return 'kill -9';
    case 'sleep':
      return 'stopped, woken when it is over';
    case 'lose-database':
      return act.how === 'lock' ? `${LOST.lock} for ${String(act.ms / 1_000)} s` : LOST[act.how];
    case 'nothing':
      return 'audit refused by the database';
  }
}

/** Where it is done. */
export function edgeOf({ act }: Edge): string {
  if (act.is === 'kill-answered') return 'the business has answered, the hub has not read it';
  return 'at' in act ? placeOf(act.at) + (act.is === 'kill' && act.nth === 2 ? ', the second time' : '') : 'from the beginning';
}

const PROMISES: Readonly<Record<Promised, string>> = {
  once: 'exactly once',
  unknown: 'unknown, never twice',
  either: 'exactly once, or unknown',
  read: 'read again',
  held: 'one question, nothing sent',
  refused: 'refused, and said so',
  unavailable: 'nothing sent, and said so',
};

export function promiseOf({ promise }: Edge): string {
  return PROMISES[promise];
}

/** What must be true afterwards, as it is checked. */
export function outcomeOf({ promise, effects }: Edge): string {
  const writes = effects === 1 ? '1 write' : `${String(effects)} writes`;
  switch (promise) {
    case 'once':
      return `${writes}; job done`;
    case 'unknown':
      return `${writes}; job ends as reconciliation`;
    case 'either':
      return `1 write and job done, or at most 1 write and reconciliation`;
    case 'read':
      return 'job done with the answer';
    case 'held':
      return 'no request; job done; 1 open approval';
    case 'refused':
      return `${writes}; job done; the rest was not sent`;
    case 'unavailable':
      return 'no write; job ends as journal unavailable';
  }
}

/** One line that names an edge, unique among all. */
export function titleOf(edge: Edge): string {
  const { act, story } = edge;
  const at = 'at' in act ? act.at : act.is;
  const nth = act.is === 'kill' && (act.nth ?? 1) > 1 ? ` (${String(act.nth)})` : '';
  return `${story.door} ${story.name}: ${actOf(act)} at ${at}${nth}`;
}
