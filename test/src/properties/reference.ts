import { LIMIT, NARROW_MAX, TIMEOUT_MS, WINDOW_MS, type Spec } from './shop-tools.js';

export type ToolName = 'pay' | 'look';
/** What becomes of an attempt. `crash`: the process is gone between sending and settling. */
export type Fate =
  { readonly is: 'answer'; readonly status: number } | { readonly is: 'unknown' } | { readonly is: 'not-sent' } | { readonly is: 'crash' };

/** What a call must come to. `wait`: the identical write is on its way in a process that is gone, so it ends frozen. */
export type Expected =
  | { readonly is: 'go' }
  | { readonly is: 'replay'; readonly status: number }
  | { readonly is: 'frozen' }
  | { readonly is: 'wait' }
  | { readonly is: 'held' }
  | { readonly is: 'refused'; readonly code: string };

interface Row {
  state: 'dispatching' | 'uncertain' | 'completed';
  status: number;
  sendBy: number;
}

const NOT_NOW = new Set([429, 503]);
const IN_BETWEEN = new Set([408, 502, 504]);

/** The exit as it is promised, in as few words as possible: one job, its journal, its budget, its limits. Knows nothing of SQL or processes. */
export class Reference {
  readonly rows = new Map<string, Row>();
  readonly questions = new Set<string>();
  readonly stops = new Set<string>();
  /** Requests the business got, per key. */
  readonly dispatched = new Map<string, number>();
  used = 0;
  leaseUntil = 0;
  private readonly streaks = new Map<ToolName, number>();

  constructor(
    /** The declarations the job began with. */
    readonly pinned: Spec,
    public today: Spec,
    public maxCalls: number,
    /** When limited calls were made: limits belong to the tool, whatever the job. */
    readonly spends: Map<ToolName, number[]> = new Map(),
  ) {}

  expect(tool: ToolName, amount: number, now: number): Expected {
    if (this.pinned[tool] === 'gone' || this.today[tool] === 'gone') return refused('BAILING_TOOL_NOT_GRANTED');
    if (this.either(tool, 'narrow') && amount > NARROW_MAX) return refused('BAILING_ARGS_INVALID');
    const held = this.either(tool, 'held');
    const journalled = this.writes(tool) || held;
    const row = this.rows.get(keyOf(tool, amount));
    if (this.writes(tool)) {
      if (this.frozen(now)) return { is: 'frozen' };
      if (row?.state === 'completed' && !NOT_NOW.has(row.status)) return { is: 'replay', status: row.status };
    }
    if ((this.streaks.get(tool) ?? 0) >= 2) return refused('BAILING_TOOL_DISABLED_FOR_JOB');
    if (held) return this.asked(tool, amount, now);
    return this.intended(tool, journalled ? row : undefined, now);
  }

  private asked(tool: ToolName, amount: number, now: number): Expected {
    if (this.leaseUntil <= now) return refused('BAILING_LEASE_LOST');
    if (this.questions.has(keyOf(tool, amount))) return { is: 'held' };
    return this.spent >= this.maxCalls ? refused('BAILING_BUDGET_SPENT') : { is: 'held' };
  }

  private intended(tool: ToolName, row: Row | undefined, now: number): Expected {
    if (row?.state === 'dispatching' && row.sendBy > now) return { is: 'wait' };
    if (this.frozen(now)) return { is: 'frozen' };
    if (this.stops.size > 0) return refused('BAILING_CALL_STOPPED');
    if (this.leaseUntil <= now) return refused('BAILING_LEASE_LOST');
    if (this.spent >= this.maxCalls) return refused('BAILING_BUDGET_SPENT');
    if (this.either(tool, 'limited') && this.room(tool, now) <= 0) return refused('BAILING_RATE_LIMITED');
    return { is: 'go' };
  }

  /** What a call that went leaves behind. */
  went(tool: ToolName, amount: number, now: number, fate: Fate): void {
    const key = keyOf(tool, amount);
    this.used += 1;
    if (this.either(tool, 'limited')) this.spend(tool, now);
    if (fate.is !== 'not-sent') this.dispatched.set(key, (this.dispatched.get(key) ?? 0) + 1);
    if (this.writes(tool)) this.wrote(tool, key, now, fate);
    else if (fate.is !== 'crash') this.streak(tool, fate.is === 'answer' && isOk(fate.status));
  }

  private wrote(tool: ToolName, key: string, now: number, fate: Fate): void {
    if (fate.is === 'not-sent') return;
    const sendBy = now + TIMEOUT_MS;
    if (fate.is === 'crash') return void this.rows.set(key, { state: 'dispatching', status: 0, sendBy });
    const unknown = fate.is === 'unknown' || IN_BETWEEN.has(fate.status);
    this.rows.set(key, { state: unknown ? 'uncertain' : 'completed', status: fate.is === 'answer' ? fate.status : 0, sendBy });
    this.streak(tool, !unknown && fate.is === 'answer' && isOk(fate.status));
  }

  /** A call waited until nobody could answer any more; the row is what it was. */
  asksFor(tool: ToolName, amount: number): void {
    this.questions.add(keyOf(tool, amount));
  }

  /** Calls of the budget that are used or reserved by open questions. */
  get spent(): number {
    return this.used + this.questions.size;
  }

  /** Calls of a limited tool that still fit into the window; unlimited tools have room without end. */
  room(tool: ToolName, now: number): number {
    if (!this.either(tool, 'limited')) return Number.POSITIVE_INFINITY;
    return LIMIT - (this.spends.get(tool) ?? []).filter((at) => at > now - WINDOW_MS).length;
  }

  frozen(now: number): boolean {
    return [...this.rows.values()].some(({ state, sendBy }) => state === 'uncertain' || (state === 'dispatching' && sendBy <= now));
  }

  /** A protection that the job began with, or that was declared since. */
  private either(tool: ToolName, variant: string): boolean {
    return this.pinned[tool] === variant || this.today[tool] === variant;
  }

  /** Side-effecting unless both declarations say that it only reads. */
  writes(tool: ToolName): boolean {
    return tool === 'pay' && !(this.pinned.pay === 'readonly' && this.today.pay === 'readonly');
  }

  /** Time never runs backwards in a window, whatever the clock does. */
  private spend(tool: ToolName, now: number): void {
    const times = this.spends.get(tool) ?? [];
    this.spends.set(tool, [...times, Math.max(now, times.at(-1) ?? 0)]);
  }

  private streak(tool: ToolName, ok: boolean): void {
    this.streaks.set(tool, ok ? 0 : (this.streaks.get(tool) ?? 0) + 1);
  }
}

export function keyOf(tool: ToolName, amount: number): string {
  return `${tool} ${String(amount)}`;
}

function isOk(status: number): boolean {
  return status >= 200 && status <= 299;
}

function refused(code: string): Expected {
  return { is: 'refused', code };
}
