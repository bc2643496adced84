import type { SettleOutcome, SettleWord } from '@bailing/engine';
import { BailingError } from '@bailing/plugin-api';
import { refusal } from '../problem.js';
import { admin, deskOf, idParam, json, noSuch, queryInt, type Reply, type Route } from '../route.js';
import { iso } from '../views/time.js';
import { unresolvedView } from '../views/desk.js';

const EVIDENCE_CHARS = 4_000;

/** `GET /admin/api/unresolved`: writes nobody knows the outcome of, oldest first, with everything to compare with the business (WIRE §8.3). */
export const adminUnresolved: Route = {
  method: 'GET',
  path: '/admin/api/unresolved',
  access: ['admin'],
  async handle(request, hub) {
    const limit = queryInt(request, 'limit', { min: 1, max: 200, default: 50 });
    const after = queryInt(request, 'after', { min: 0, max: 9_999_999_999, default: 0 });
    return { status: 200, body: { items: (await deskOf(hub).unresolved(after, limit)).map(unresolvedView) } };
  },
};

/**
 * `POST /admin/api/unresolved/{id}/settle`: `{verdict: applied | not_applied | unknown, evidence, by?, attempt?, rerun?}`. With `attempt` a verdict never
 * reaches another attempt than the one that was looked at.
 */
export const adminSettle: Route = {
  method: 'POST',
  path: '/admin/api/unresolved/:id/settle',
  access: ['admin'],
  async handle(request, hub) {
    const desk = deskOf(hub);
    const { attempt, ...word } = readWord(json(request), admin(request).name);
    const row = await desk.unresolvedRow(idParam(request, 'id'));
    if (!row) throw noSuch('unresolved call', request.params['id']);
    if (attempt !== undefined && attempt !== row.attempt)
      throw new BailingError('BAILING_SETTLE_CONFLICT', { at: 'attempt', detail: `The call is at attempt ${String(row.attempt)} now.` });
    return settleReply(row.id, word, await desk.settle(row, word));
  },
};

function settleReply(id: number, word: SettleWord, outcome: SettleOutcome): Reply {
  const base = { ok: true, id, verdict: word.verdict };
  switch (outcome.is) {
    case 'settled':
      return { status: 200, body: { ...base, idempotent: false, rerun: outcome.rerun } };
    case 'again':
      return { status: 200, body: { ...base, idempotent: true, rerun: false } };
    case 'left':
      return { status: 200, body: { ...base, idempotent: false, rerun: false } };
    case 'conflict':
      return refusal('BAILING_SETTLE_CONFLICT', { verdict: outcome.verdict, by: outcome.by });
    case 'in-flight':
      return refusal('BAILING_SETTLE_IN_FLIGHT');
    case 'too-early':
      return refusal('BAILING_SETTLE_TOO_EARLY', { after: iso(outcome.after) }, `That is after ${iso(outcome.after)}.`);
    case 'unknown':
      return refusal('BAILING_SETTLE_CONFLICT', {}, 'It is not unresolved any more.');
  }
}

function readWord(body: unknown, fallback: string): SettleWord & { readonly attempt?: number } {
  const members = body !== null && typeof body === 'object' && !Array.isArray(body) ? (body as Readonly<Record<string, unknown>>) : {};
  const { verdict, evidence, by, attempt, rerun } = members;
  if (verdict !== 'applied' && verdict !== 'not_applied' && verdict !== 'unknown')
    throw malformed('verdict', 'verdict is applied, not_applied or unknown.');
  if (typeof evidence !== 'string' || evidence.trim() === '' || evidence.length > EVIDENCE_CHARS)
    throw malformed('evidence', `Say in 1 to ${String(EVIDENCE_CHARS)} characters what the business records show.`);
  if (by !== undefined && (typeof by !== 'string' || by.length > 64)) throw malformed('by', 'by is a name of at most 64 characters.');
  if (attempt !== undefined && !Number.isSafeInteger(attempt)) throw malformed('attempt', 'attempt is a whole number.');
  if (rerun !== undefined && typeof rerun !== 'boolean') throw malformed('rerun', 'rerun is true or false.');
  return {
    verdict,
    evidence: evidence.trim().toWellFormed(),
    by: typeof by === 'string' && by.trim() !== '' ? by.trim().toWellFormed() : fallback,
    rerun: rerun ?? true,
    ...(attempt !== undefined && { attempt: attempt as number }),
  };
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
