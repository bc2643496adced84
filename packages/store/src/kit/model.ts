import { LEASE_MS, START } from './world.js';

/** One step of a random sequence. Jobs, writes and tickets are small numbers, so that sequences meet themselves often. */
export type Step =
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'accept'; readonly job: number }
  | { readonly do: 'take'; readonly max: number }
  | { readonly do: 'renew'; readonly job: number }
  | { readonly do: 'put-back'; readonly job: number; readonly delayMs: number; readonly count: boolean }
  | { readonly do: 'finish'; readonly job: number }
  | { readonly do: 'read'; readonly job: number; readonly rated: boolean }
  | { readonly do: 'write'; readonly job: number; readonly what: number; readonly rated: boolean }
  | { readonly do: 'settle'; readonly ticket: number; readonly as: Settlement }
  | { readonly do: 'twice'; readonly job: number; readonly tool: Tool }
  | { readonly do: 'stop' | 'clear' | 'counts' }
  | { readonly do: 'unresolved' | 'used'; readonly job: number }
  | { readonly do: 'recorded'; readonly job: number; readonly what: number };

export type Settlement = 200 | 422 | 429 | 'unknown' | 'withdraw';
export type Tool = 'read' | 'write';

export const TIMEOUT_MS = 10_000;
export const MAX_CALLS = 6;
export const RATE = { limit: 3, windowMs: 5_000 };

interface Job {
  status: 'queued' | 'running' | 'done';
  /** How often it was claimed; the claim a holder remembers is this number. */
  claim: number;
  leaseUntil: number;
  runAfter: number;
  used: number;
  attempts: number;
  readonly created: number;
}
interface Row {
  state: 'dispatching' | 'completed' | 'uncertain';
  sendBy: number;
  attempt: number;
  status: number | null;
  readonly order: number;
}
interface ModelTicket {
  readonly job: number;
  readonly tool: Tool;
  readonly what: number;
  readonly attempt: number;
  used: boolean;
}

/** What the store promises, in memory and one step at a time. Each step answers what the store has to answer. */
export class Model {
  now = START;
  readonly #jobs = new Map<number, Job>();
  readonly #rows = new Map<string, Row>();
  readonly #spent: number[] = [];
  readonly #streaks = new Map<string, number>();
  readonly #tickets: ModelTicket[] = [];
  #stopped = false;
  #order = 0;

  /** The claim a worker of this job remembers, current or not; 0 before the first. */
  claimOf(job: number): number {
    return this.#jobs.get(job)?.claim ?? 0;
  }

  /** Which ticket a settle step means: the numbers count the unused ones. */
  ticketIndex(wanted: number): number {
    const unused = this.#tickets.flatMap((ticket, index) => (ticket.used ? [] : [index]));
    return unused.length === 0 ? -1 : (unused[wanted % unused.length] ?? -1);
  }

  toolOfTicket(index: number): Tool | undefined {
    return this.#tickets[index]?.tool;
  }

  apply(step: Step): unknown {
    switch (step.do) {
      case 'advance':
        this.now += step.ms;
        return null;
      case 'accept':
        return this.#accept(step.job);
      case 'take':
        return this.#take(step.max);
      case 'renew':
        return this.#renew(step.job);
      case 'put-back':
        return this.#putBack(step.job, step.delayMs, step.count);
      case 'finish':
        return this.#finish(step.job);
      case 'read':
        return this.#intend(step.job, 'read', -1, step.rated);
      case 'write':
        return this.#intend(step.job, 'write', step.what, step.rated);
      case 'settle':
        return this.#settle(this.ticketIndex(step.ticket), step.as);
      case 'twice':
        return this.#twice(step.job, step.tool);
      case 'stop':
      case 'clear':
        this.#stopped = step.do === 'stop';
        return null;
      case 'counts':
        return { running: this.#count('running'), waiting: this.#count('queued') };
      case 'unresolved':
        return this.#open(step.job).map(([what, row]) => `${what} ${row.state}`);
      case 'used':
        return this.#jobs.get(step.job)?.used ?? null;
      case 'recorded': {
        const row = this.#rows.get(`${String(step.job)}/${String(step.what)}`);
        return row?.state === 'completed' ? row.status : null;
      }
    }
  }

  #accept(job: number): string {
    if (this.#jobs.has(job)) return 'same';
    const fresh = { status: 'queued', claim: 0, leaseUntil: 0, runAfter: this.now, used: 0, attempts: 0 } as const;
    this.#jobs.set(job, { ...fresh, created: this.now });
    return 'new';
  }

  #take(max: number): unknown {
    const due = [...this.#jobs].filter(([, job]) =>
      job.status === 'queued' ? job.runAfter <= this.now : job.status === 'running' && job.leaseUntil <= this.now,
    );
    return due
      .sort(([x, a], [y, b]) => a.created - b.created || x - y)
      .slice(0, max)
      .map(([id, job]) => {
        const recovered = job.status === 'running';
        Object.assign(job, { status: 'running', claim: job.claim + 1, leaseUntil: this.now + LEASE_MS });
        return { job: id, recovered, attempts: job.attempts, open: this.#open(id).length };
      });
  }

  #renew(id: number): boolean {
    const job = this.#jobs.get(id);
    if (job?.status !== 'running') return false;
    job.leaseUntil = this.now + LEASE_MS;
    return true;
  }

  #putBack(id: number, delayMs: number, count: boolean): string {
    const job = this.#jobs.get(id);
    if (job?.status !== 'running') return 'lost-lease';
    Object.assign(job, { status: 'queued', runAfter: this.now + delayMs, attempts: job.attempts + (count ? 1 : 0) });
    return 'queued';
  }

  #finish(id: number): string {
    const job = this.#jobs.get(id);
    if (job?.status !== 'running') return 'lost-lease';
    job.status = 'done';
    return 'finished';
  }

  #intend(id: number, tool: Tool, what: number, rated: boolean): string {
    const same = this.#rows.get(`${String(id)}/${String(what)}`);
    if (this.#open(id).some(([, row]) => !this.#flying(row))) return 'frozen';
    if (same?.state === 'completed' && same.status !== 429) return `replay ${String(same.status)}`;
    if (same && this.#flying(same)) return 'in-flight';
    if (this.#twice(id, tool)) return 'twice-failed';
    if (this.#stopped) return 'stopped';
    const job = this.#jobs.get(id);
    if (job?.status !== 'running' || job.leaseUntil <= this.now) return 'lost-lease';
    if (job.used >= MAX_CALLS) return `budget ${String(job.used)}`;
    const inside = this.#spent.filter((at) => at > this.now - RATE.windowMs);
    if (rated && inside.length >= RATE.limit) return `rate ${String((inside.at(-RATE.limit) ?? 0) + RATE.windowMs - this.now)}`;
    if (rated) this.#spent.push(this.now);
    job.used += 1;
    const attempt = tool === 'write' ? this.#dispatch(id, what) : 0;
    this.#tickets.push({ job: id, tool, what, attempt, used: false });
    return `go ${String(this.now)}`;
  }

  #dispatch(id: number, what: number): number {
    const key = `${String(id)}/${String(what)}`;
    const before = this.#rows.get(key);
    const attempt = (before?.attempt ?? 0) + 1;
    const order = before?.order ?? (this.#order += 1);
    this.#rows.set(key, { state: 'dispatching', sendBy: this.now + TIMEOUT_MS, attempt, status: before?.status ?? null, order });
    return attempt;
  }

  #settle(index: number, as: Settlement): unknown {
    const ticket = this.#tickets[index];
    if (!ticket) return null;
    ticket.used = true;
    if (ticket.tool === 'read') return this.#settleRead(ticket, as);
    const key = `${String(ticket.job)}/${String(ticket.what)}`;
    const row = this.#rows.get(key);
    if (row?.state !== 'dispatching' || row.attempt !== ticket.attempt) return 'moved';
    if (as === 'withdraw') {
      if (row.attempt === 1) this.#rows.delete(key);
      else row.state = 'completed';
      return 'withdrawn';
    }
    this.#streak(ticket, as !== 200);
    row.state = as === 'unknown' ? 'uncertain' : 'completed';
    if (as !== 'unknown') row.status = as;
    return row.state;
  }

  #settleRead(ticket: ModelTicket, as: Settlement): string | null {
    if (as === 'withdraw') return 'withdrawn';
    this.#streak(ticket, as !== 200);
    return null;
  }

  #streak({ job, tool }: ModelTicket, failed: boolean): void {
    const key = `${String(job)}/${tool}`;
    this.#streaks.set(key, failed ? (this.#streaks.get(key) ?? 0) + 1 : 0);
  }

  #twice(job: number, tool: Tool): boolean {
    return (this.#streaks.get(`${String(job)}/${tool}`) ?? 0) >= 2;
  }

  #flying(row: Row): boolean {
    return row.state === 'dispatching' && row.sendBy > this.now;
  }

  #open(id: number): (readonly [string, Row])[] {
    return [...this.#rows]
      .filter(([key, row]) => key.startsWith(`${String(id)}/`) && row.state !== 'completed')
      .sort(([, a], [, b]) => a.order - b.order)
      .map(([key, row]) => [key.split('/')[1] ?? '', row] as const);
  }

  #count(status: Job['status']): number {
    return [...this.#jobs.values()].filter((job) => job.status === status).length;
  }
}
