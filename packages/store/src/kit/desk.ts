import type { Consume, Decision, Holder, Question, Store } from '@bailing/engine/ports';
import { expectIs, line, START, writeIntent } from './world.js';

export const HEAD_START_MS = 15_000;

/** A question about the write that `writeIntent(by, what)` makes. */
export function questionOf(by: Holder, what = 'a', more: Partial<Question> = {}): Question {
  const { key, args, subject, fingerprint, provider, scope } = writeIntent(by, what);
  const words = { risk: 'high', policy: 'risk_high', reason: 'risk=high', method: 'POST', path: '/refunds', summary: `Refund ${what}` };
  const frozen = '{"kind":"tool_approval_intent"}';
  return {
    by,
    key,
    requestId: 'r',
    provider,
    scope,
    ...words,
    args,
    frozen,
    subject,
    fingerprint,
    line: line('tool_approval_pending', by.job),
    ...more,
  };
}

export function decisionOf(id: number, job: string, verdict: 'approved' | 'denied' = 'approved', more: Partial<Decision> = {}): Decision {
  const lines = { line: line(`tool_${verdict}_external`, job), rerunLine: line('rerun', job) };
  return { id, job, decisionId: `d:${String(id)}`, verdict, approver: 'ann', comment: '', ...lines, headStartMs: 0, ...more };
}

/** Asks and answers one question. */
export async function decided(store: Store, by: Holder, what = 'a', verdict: 'approved' | 'denied' = 'approved'): Promise<number> {
  const { id } = expectIs(await store.approvals.open(questionOf(by, what)), 'opened');
  expectIs(await store.approvals.decide(decisionOf(id, by.job, verdict)), 'decided');
  return id;
}

/** The intend of an approved call. */
export function consuming(by: Holder, approval: number, what = 'a', more: Partial<Consume> = {}) {
  const intent = writeIntent(by, what);
  return { ...intent, consume: { approval, fingerprint: intent.fingerprint, ...more } };
}

export const END = { status: 'done', result: '{"text":"x"}', error: null, usage: null } as const;

export async function endJob(store: Store, by: Holder): ReturnType<Store['jobs']['finish']> {
  return store.jobs.finish(by, { ...END, lines: [line('finished', by.job)] });
}

export function ending(id: number, job: string, event = 'tool_approval_expired') {
  return { id, job, line: line(event, job, { at: START }) };
}
