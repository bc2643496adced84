import type { Reaction } from '../../support/counting-business.js';
import type { Answer } from '../../support/http.js';
import type { ShopOptions } from '../../support/shop.js';
import type { ShopWorld, WorkItem } from '../../support/shop-world.js';

/** What one row of the table promises (WIRE §3.4). */
export interface Row {
  readonly row: string;
  readonly says: string;
  readonly shop?: Partial<ShopOptions>;
  /** How the business answers. */
  readonly react?: Reaction;
  /** The invoke of the row, after whatever has to be true before it. */
  readonly act: (world: ShopWorld, work: WorkItem) => Promise<Answer>;
  readonly http: number;
  /** Members of the body, exactly these names; `*` is any value. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Requests that reach the business in the last invoke. */
  readonly outbound: number;
  /** Events of the job that the last invoke writes. */
  readonly audit: readonly string[];
  /** Members of the last event's detail. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export const ORDER = { order_no: 'A-1001' };
export const REFUND = { ...ORDER, amount: 300 };
export const read = (world: ShopWorld, work: WorkItem) => world.invoke(work, 'order_read', ORDER);
export const refund = (world: ShopWorld, work: WorkItem) => world.invoke(work, 'refund_create', REFUND);
export const refused = (more: object = {}) => ({ ok: false, text: '*', status: 0, code: '*', ...more });
export const ERROR = { error: '*', code: '*', fix: '*' };
const EXECUTION = {
  state: 'uncertain',
  tool: 'refund_create',
  scope: 'refund.create',
  idempotency_key: /^[0-9a-f]{64}$/,
  reason: '*',
  message: '*',
};
export const reconciliation = (state = 'uncertain') =>
  refused({ governance_state: 'reconciliation_required', auto_retry_allowed: false, tool_execution: { ...EXECUTION, state } });
export const SENT = ['tool_call', 'tool_reconciliation_required'];
export const hang: Reaction = { is: 'hang' };
export const quick = { timeoutMs: 1_000 };

/** Whether a value is what was promised: itself, anything, a pattern, or an object of such. */
export function fits(value: unknown, promised: unknown): boolean {
  if (promised === '*') return value !== undefined;
  if (promised instanceof RegExp) return typeof value === 'string' && promised.test(value);
  if (typeof promised !== 'object' || promised === null) return value === promised;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(promised).every(([name, one]) => fits((value as Record<string, unknown>)[name], one));
}
