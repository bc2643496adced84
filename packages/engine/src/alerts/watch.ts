import type { Log, Records } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import { Duty } from '../duty.js';
import type { Presence } from '../jobs/executor/presence.js';
import type { AlertRule, AuditRow, DutyStore, JobStore, Outbox, Wakeups } from '../ports/index.js';
import { absences, knownAs, OFFLINE, OFFLINE_MS } from './absences.js';
import { conditions, type Condition, type ConditionDeps } from './conditions.js';
import { messagesOf } from './messages.js';

export interface AlertDeps extends ConditionDeps {
  readonly jobs: Pick<JobStore, 'audit' | 'note' | 'waiting' | 'failures'>;
  readonly outbox: Pick<Outbox, 'put'>;
  readonly presence: Pick<Presence, 'all'>;
  readonly duties: DutyStore;
  /** Where the watch stands, and when each key was told last. */
  readonly records: Records;
  readonly rules: () => readonly AlertRule[];
  readonly wakeups: Wakeups;
  readonly log: Log;
}

const PAGE = 500;
/** Lines of other processes may be committed out of order; so many are looked at again. */
const OVERLAP = 100;
/** How often it is looked for what no line says; a pass costs a few bounded reads. */
const MONITOR_MS = 60_000;
/** For so long; what was looked at and is older is history. */
const OVERLAP_MS = 600_000;
const MINUTE_MS = 60_000;

interface Place {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Reads the alert lines of the ledger, behind whoever wrote them, and puts what a rule wants told into the outbox (WIRE §10.4): each key at most once
 * within the smallest cooldown of the rules that match it. One replica at a time; it goes on after a restart where it stood. Nothing waits for it.
 */
export class AlertWatch extends Duty {
  private monitored = -Infinity;
  private readonly begun: number;

  constructor(
    private readonly deps: AlertDeps,
    everyMs = 5_000,
  ) {
    super({ ...deps, name: 'alerts', everyMs, holdMs: everyMs * 3, failed: 'alerts could not be looked through' });
    this.begun = deps.clock.now();
  }

  protected override wanted(): boolean {
    return this.deps.rules().some(({ enabled }) => enabled);
  }

  /** One pass; answers how many messages were put. */
  async pass(): Promise<number> {
    await this.monitor();
    const kept = await this.deps.records.get('place');
    // What was written before the first watch began is history.
    const place = kept === null ? { seq: 0, since: this.begun } : (JSON.parse(kept.value) as Place);
    let { seq } = place;
    let put = 0;
    for (let after = Math.max(0, seq - OVERLAP), more = true; more;) {
      const rows = await this.deps.jobs.audit('-', after, PAGE);
      for (const row of rows) put += row.event === 'alert' && row.at >= place.since && this.isNews(row, place) ? await this.tell(row) : 0;
      after = rows.at(-1)?.seq ?? after;
      seq = Math.max(seq, after);
      more = rows.length === PAGE;
    }
    if (kept === null || seq !== place.seq) await this.deps.records.put('place', JSON.stringify({ ...place, seq }));
    if (put > 0) this.deps.wakeups.notify('outbox');
    return put;
  }

  private isNews(row: AuditRow, place: Place): boolean {
    return row.seq > place.seq || row.at >= this.deps.clock.now() - OVERLAP_MS;
  }

  private async tell(row: AuditRow): Promise<number> {
    const { key, message } = JSON.parse(row.detail) as { readonly key?: unknown; readonly message?: unknown };
    if (typeof key !== 'string' || typeof message !== 'string') return 0;
    const due = await this.due(key, row.at);
    if (!due) return 0;
    const messages = messagesOf(row, key, message, due.rules);
    await this.deps.outbox.put(messages);
    // Put first: a process that dies in between puts the same again, under the same name, and nothing is sent twice.
    const ttlMs = Math.max(due.cooldownMs * 2, 2 * 1_440 * MINUTE_MS);
    await this.deps.records.put(knownAs(key), String(row.at), { ttlMs, ...(key.startsWith(OFFLINE) && { tag: OFFLINE }) });
    return messages.length;
  }

  /** The rules that want a key told now; null where none does, or it was told within the smallest of their cooldowns. */
  private async due(key: string, at: number) {
    const rules = this.rulesFor(key);
    const cooldownMs = this.cooldownOf(key);
    if (cooldownMs === null) return null;
    const told = await this.deps.records.get(knownAs(key));
    return told !== null && at < Number(told.value) + cooldownMs ? null : { rules, cooldownMs };
  }

  private rulesFor(key: string): readonly AlertRule[] {
    return this.deps.rules().filter((rule) => rule.enabled && key.startsWith(rule.event_prefix));
  }

  private cooldownOf(key: string): number | null {
    const rules = this.rulesFor(key);
    return rules.length === 0 ? null : Math.min(...rules.map((rule) => rule.cooldown_min)) * MINUTE_MS;
  }

  /** What is wrong now becomes a line of the ledger where a rule wants it told; while it stays so, one a cooldown, of an absence one. */
  private async monitor(): Promise<void> {
    const { jobs, clock } = this.deps;
    const now = clock.now();
    if (now - this.monitored < MONITOR_MS) return;
    this.monitored = now;
    const found: Condition[] = [];
    for (const one of await conditions(this.deps)) if (await this.due(one.key, now)) found.push(one);
    // While no hub ran, no executor could be seen.
    if (now - this.begun >= OFFLINE_MS) found.push(...(await absences(now, { ...this.deps, cooldownOf: (key) => this.cooldownOf(key) })));
    if (found.length === 0) return;
    await jobs.note(
      found.map(({ key, message }) => line('alert', { job: '-', requestId: 'monitor' }, now, { kind: 'alert', key, message })),
    );
  }
}
