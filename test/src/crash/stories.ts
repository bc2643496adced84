import { openStore } from '@bailing/store';
import type { Arrival, Reaction } from '../support/counting-business.js';
import type { Script } from '../support/script-model.js';
import type { ShopOptions } from '../support/shop.js';
import type { Stage } from './stage.js';

/** What goes on when something breaks: a job, its calls, how the business behaves. */
export interface Story {
  readonly name: string;
  /** For people: one clause about what is going on. */
  readonly says: string;
  readonly door: 'in-hub' | 'executor';
  readonly script: Script;
  readonly shop?: Partial<ShopOptions>;
  readonly react?: (arrival: Arrival, nth: number) => Reaction | Promise<Reaction>;
  /** On the fresh, migrated database, before any hub starts. */
  readonly before?: (stage: Stage) => Promise<void>;
  /** After the first process is gone, before the next one starts. */
  readonly between?: (stage: Stage) => Promise<void>;
  /** How far the clock of the next process is ahead where its lease is an executor's, which takes that long to expire. */
  readonly aheadMs?: number;
  /** What else is asked of the hub once the job was accepted. */
  readonly also?: 'submit-again' | 'submit-another' | 'stop' | 'pause' | 'resume' | 'heartbeat' | 'fail-once' | 'drop-claim' | 'think';
}

const call = (tool: string, more: object = {}) => ({ tool, arguments: { order_no: 'A-1001', ...more } });
const REFUND = call('refund_create', { amount: 300 });
const CREDIT = (amount: number) => call('credit_grant', { amount });
const READ = call('order_read');

/** Long enough for a busy machine; what waits for it to pass says so. */
const rates: Partial<ShopOptions> = { providerRate: 1_000, timeoutMs: 4_000 };
const answer = (status: number): Reaction => ({ is: 'answer', status });
const slow = async (): Promise<Reaction> => {
  await new Promise((resolve) => setTimeout(resolve, 800));
  return answer(200);
};

/** Refuses every audit line about the result of a call. */
async function refuseResults(stage: Stage): Promise<void> {
  await migrate(stage);
  await stage.database.query(
    stage.dialect === 'sqlite'
      ? `CREATE TRIGGER no_results BEFORE INSERT ON bz_audit WHEN NEW.event = 'tool_result' BEGIN SELECT RAISE(ABORT, 'no'); END`
      : `CREATE TRIGGER no_results BEFORE INSERT ON bz_audit FOR EACH ROW IF NEW.event = 'tool_result' THEN SIGNAL SQLSTATE '45000'; END IF`,
  );
}

async function migrate(stage: Stage): Promise<void> {
  await (await openStore({ url: stage.database.url, replica: 'before' })).close();
}

/** A process that worked before and stopped well: its chain heads wait to be named. */
async function earlierProcess(stage: Stage): Promise<void> {
  const store = await openStore({ url: stage.database.url, replica: 'earlier' });
  const line = {
    event: 'earlier',
    at: Date.now(),
    job: '-',
    requestId: '-',
    stage: 'system',
    severity: 'info',
    title: 't',
    summary: '',
    detail: '{}',
  } as const;
  await store.jobs.note([line]);
  await store.close();
}

export const WRITE: Story = { name: 'write', says: 'a write', door: 'in-hub', script: [[REFUND]], shop: rates };
export const READING: Story = { name: 'read', says: 'a read', door: 'in-hub', script: [[READ]], shop: rates };
export const FAILED_READS: Story = {
  ...READING,
  name: 'failed read',
  says: 'a read that fails and is asked again',
  script: [[READ], [READ]],
  react: (_, nth) => answer(nth === 1 ? 500 : 200),
};
export const SILENT: Story = {
  ...WRITE,
  name: 'silent business',
  says: 'a write that the business does not answer',
  react: () => ({ is: 'hang' }),
  shop: { ...rates, timeoutMs: 1_000 },
};
export const SLOW: Story = {
  ...WRITE,
  name: 'slow business',
  says: 'a write that takes longer than a lease renewal',
  react: slow,
  shop: { ...rates, leaseMs: 1_000 },
};
export const UNREACHABLE: Story = {
  ...WRITE,
  name: 'unreachable business',
  says: 'a write to a business that refuses connections at first',
  before: (stage) => stage.business.shut(),
  between: (stage) => stage.business.open(),
};
export const NOT_NOW: Story = {
  ...WRITE,
  name: 'not now',
  says: 'a write that was answered 503 and is asked again',
  script: [[REFUND], [REFUND]],
  react: (_, nth) => answer(nth === 1 ? 503 : 200),
};
export const NOT_NOW_THEN_GONE: Story = {
  ...NOT_NOW,
  name: 'not now, then gone',
  says: 'a write that was answered 503 and then finds nobody',
  react: (_, nth) => ({ is: 'answer', status: nth === 1 ? 503 : 200, last: nth === 1 }),
  between: (stage) => stage.business.open(),
};

export const NO_EVIDENCE: Story = { ...WRITE, name: 'no evidence', says: 'a write whose result cannot be audited', before: refuseResults };
export const HELD: Story = {
  ...WRITE,
  name: 'held write',
  says: 'a write that needs approval',
  script: [[call('refund_create', { amount: 5_000 })]],
};
export const BOOT: Story = { ...WRITE, name: 'start', says: 'a hub that starts beside an earlier one', before: earlierProcess };
export const TWICE: Story = { ...WRITE, name: 'submitted twice', says: 'the same request_id submitted again', also: 'submit-again' };
export const CLIENT_RATE: Story = { ...WRITE, name: 'client limit', says: 'a client with a limit', shop: { ...rates, clientRate: 100 } };
export const CLIENT_OVER: Story = {
  ...WRITE,
  name: 'client over limit',
  says: 'a client over its limit',
  shop: { ...rates, clientRate: 1 },
  also: 'submit-another',
};
export const STOPPING: Story = { ...WRITE, name: 'stop', says: 'a hub that is told to stop', also: 'stop' };
export const PAUSING: Story = { ...WRITE, name: 'pause', says: 'an operator who pauses the hub', also: 'pause' };
export const RESUMING: Story = { ...WRITE, name: 'resume', says: 'an operator who resumes the hub', also: 'resume' };

const executor = (story: Story): Story => ({ ...story, door: 'executor', shop: { ...story.shop, target: 'my-agent' } });
export const X_WRITE = executor(WRITE);
export const X_READ = executor(READING);
export const X_SLOW_READ: Story = { ...X_READ, says: 'a read whose result is written by itself', also: 'think' };
export const X_CLAIM: Story = { ...X_WRITE, name: 'claim', says: 'an executor claiming a job', aheadMs: 241_000 };
export const X_BEAT: Story = { ...X_WRITE, name: 'heartbeat', says: 'an executor that shows it is alive', also: 'heartbeat' };
export const X_RETRY: Story = {
  ...X_WRITE,
  name: 'failed attempt',
  says: 'an executor that reports a failure and gets another attempt',
  shop: { ...X_WRITE.shop, retries: 2 },
  also: 'fail-once',
};
export const X_DROPPED: Story = {
  ...X_WRITE,
  name: 'dropped claim',
  says: 'a claim whose connection is lost at the hand-over',
  also: 'drop-claim',
  aheadMs: 241_000,
};
export const X_BUDGET: Story = {
  ...X_WRITE,
  name: 'over budget',
  says: 'a write beyond the call budget',
  script: [[REFUND], [call('refund_create', { amount: 301 })]],
  shop: { ...X_WRITE.shop, maxCalls: 1 },
};
export const X_READ_BUDGET: Story = { ...X_BUDGET, says: 'a read beyond the call budget', script: [[REFUND], [READ]] };
export const X_RATE: Story = {
  ...X_WRITE,
  name: 'over limit',
  says: 'a write beyond the limit of its tool',
  script: [[CREDIT(1)], [CREDIT(2)], [CREDIT(3)], [CREDIT(4)]],
};
export const X_READ_RATE: Story = {
  ...X_WRITE,
  name: 'over limit',
  says: 'a read beyond the limit of its provider',
  script: [[REFUND], [READ]],
  shop: { ...X_WRITE.shop, providerRate: 1 },
};
