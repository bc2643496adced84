import { randomUUID } from 'node:crypto';
import type { Holder, Intent, Line, NewJob, Store, WriteIntent } from '@bailing/engine/ports';

export const START = 1_764_500_000_000;
export const LEASE_MS = 60_000;

export function line(event: string, job: string, more: Partial<Line> = {}): Line {
  const base = { event, at: START, job, requestId: `request-${job}`, stage: 'tool', severity: 'info' } as const;
  return { ...base, title: `Title of ${event}`, summary: `Summary of ${event}`, detail: '{"n":1}', ...more };
}

export function newJob(more: Partial<NewJob> = {}): NewJob {
  const id = more.id ?? randomUUID();
  const base = { id, requestId: `request-${id}`, owner: 'crm', route: 'refunds', target: 'llm', source: 'api', input: 'refund A-1001' };
  const rest = { metadata: '{}', principalId: null, sessionId: id, isContinue: false, maxAttempts: 3, createdAt: START };
  return { ...base, ...rest, ...more };
}

/** A job accepted and held. Each has a target of its own unless one is named, so that tests do not take each other's jobs. */
export async function heldJob(store: Store, more: Partial<NewJob> = {}): Promise<Holder> {
  const job = newJob({ target: `target-${randomUUID()}`, ...more });
  await store.jobs.accept(job, line('received', job.id), false);
  const [taken] = await store.jobs.take({ replica: 'r1', max: 1, leaseMs: LEASE_MS, targets: [job.target] });
  if (!taken) throw new Error('The job was not taken.');
  return taken.by;
}

export function readIntent(by: Holder, more: Partial<Intent> = {}): Intent {
  return { by, tool: 'order_get', maxCalls: 100, spends: [], stops: ['hub'], timeoutMs: 10_000, line: line('tool_call', by.job), ...more };
}

/** A write of `refund`; `what` makes it one of several different ones. */
export function writeIntent(by: Holder, what = 'a', more: Partial<WriteIntent> = {}): WriteIntent {
  const key = { job: by.job, tool: 'refund', argsHash: what.repeat(64).slice(0, 64), idem: `k${what}`.repeat(64).slice(0, 64) };
  const call = { scope: 'refund.create', subject: 't1:u1', args: `{"what":"${what}"}`, digest: 'd'.repeat(64), provider: 'orders' };
  return { ...readIntent(by), tool: 'refund', key, ...call, fingerprint: 'f'.repeat(64), ...more };
}

type Having<T, K> = T extends { readonly is: infer I } ? (K extends I ? T : never) : never;

/** Narrows an outcome or fails with what came instead. */
export function expectIs<T extends { readonly is: string }, K extends T['is']>(outcome: T, is: K): Having<T, K> {
  if (outcome.is !== is) throw new Error(`expected ${is}, got ${JSON.stringify(outcome)}`);
  return outcome as Having<T, K>;
}
