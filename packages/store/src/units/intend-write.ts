import type { Ms, Open, Refused, Replay, WriteIntent } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { insertIntent } from '../statements/journal-insert.js';
import { redispatchIntent } from '../statements/journal-redispatch.js';
import { lookBeforeWrite, type LookRow } from '../statements/look-before-call.js';
import { padded } from '../statements/statement.js';
import { change, insert, rows, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { consume } from './consume.js';
import { spend, stopList, STREAK_MAX } from './intend.js';
import { frozenBy, type Looked, openOf, sortLooked } from './looked.js';
import { hotBuckets } from './take-spends.js';

type Going = { readonly is: 'go'; readonly signAt: Ms; readonly streak: number; readonly row: JournalRow };
type Settled = Replay | { readonly is: 'in-flight'; readonly row: Open } | Refused;
/** `again`: another process wrote the same row meanwhile; the unit has to look once more. */
export type WriteIntended = Going | Settled | { readonly is: 'again' };

interface JournalRow {
  readonly id: number;
  readonly attempt: number;
}

/** One commit of a governed write: freeze, stop flags, failure streak, lease, budget, spends, journal `dispatching`, audit line; all or nothing. */
export function intendWrite(intent: WriteIntent): Unit<WriteIntended> {
  const { by, key, line } = intent;
  const stops = stopList(intent.stops);
  return {
    name: 'intend-write',
    key: by.job,
    hot: hotBuckets(intent.spends),
    *run(tx) {
      const params = [by.job, by.job, key.tool, key.argsHash, ...padded(stops), by.job, key.tool];
      const looked = sortLooked(yield* rows(lookBeforeWrite.of(stops.length), params), stops);
      const settled = alreadySettled(looked, intent, tx.now);
      if (settled) return settled;
      const refused = intent.consume ? yield* consume(tx, intent, intent.consume) : yield* spend(tx, intent);
      if (refused) return new Undo<WriteIntended>(refused);
      const row = looked.same ? yield* redispatch(tx, intent, looked.same) : yield* dispatch(tx, intent);
      if (!row) return new Undo<WriteIntended>({ is: 'again' });
      yield* append(tx, line, tx.now);
      return { is: 'go', signAt: tx.now, streak: looked.streak, row };
    },
  };
}

/** What the journal and the stop flags already answer, without spending anything. An unresolved write goes before everything (WIRE §3.4, row 3). */
function alreadySettled({ open, same, stop, streak }: Looked, { key }: WriteIntent, now: Ms): Settled | null {
  const twin = open.find((row) => row.tool === key.tool && row.args_hash === key.argsHash);
  const foreign = [twin, same].find((row) => row && row.idempotency_key !== key.idem);
  if (foreign) return { is: 'frozen', row: { ...openOf(foreign, key.job), state: 'uncertain', reason: OTHER_SUBJECT } };
  const frozen = frozenBy(open, now);
  if (frozen) return { is: 'frozen', row: openOf(frozen, key.job) };
  if (same && !mayRepeat(same)) return { is: 'replay', was: { ok: same.ok === 1, status: same.status, text: same.result_text } };
  if (twin) return { is: 'in-flight', row: openOf(twin, key.job) };
  if (streak >= STREAK_MAX) return { is: 'twice-failed' };
  return stop === undefined ? null : { is: 'stopped', what: stop };
}

/** The key of a write covers its subject: the same call for somebody else must not read this answer, and cannot be a second row. */
const OTHER_SUBJECT = 'the same call is recorded under another idempotency key';

/** "Not now" (WIRE §8.1), or settled as not applied: the same call may be dispatched again under the same key. */
function mayRepeat(row: LookRow): boolean {
  return row.status === 429 || row.status === 503 || row.state === 'released';
}

function* dispatch(tx: Tx, intent: WriteIntent): Steps<JournalRow | null> {
  const { by, key, scope, subject, args, digest, provider, fingerprint } = intent;
  const { now } = tx;
  try {
    const call = [by.job, key.tool, key.argsHash, key.idem, scope, subject, args, digest, provider, fingerprint] as const;
    const id = yield* insert(insertIntent, [...call, by.replica, now + intent.timeoutMs, now, now, now]);
    return { id, attempt: 1 };
  } catch (error) {
    if (isFault(error, 'duplicate')) return null;
    throw error;
  }
}

function* redispatch(tx: Tx, intent: WriteIntent, { id, attempt }: LookRow): Steps<JournalRow | null> {
  const { by, digest, fingerprint, timeoutMs } = intent;
  const { now } = tx;
  const moved = yield* change(redispatchIntent, [by.replica, now + timeoutMs, now, now, digest, fingerprint, id, attempt]);
  return moved === 0 ? null : { id, attempt: attempt + 1 };
}
