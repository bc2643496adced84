import type { Clock, Log } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { AttemptEnd, Line, Outbox, Outgoing, Wakeups } from '../ports/index.js';
import type { OutboxSender, SendEnd } from './sender.js';

export interface OutboxDeps {
  readonly outbox: Outbox;
  /** By the kind of what is sent. */
  readonly senders: ReadonlyMap<string, OutboxSender>;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly log: Log;
  readonly observe: (line: Line) => void;
  /** Says what plugins and receivers said without the secrets of the configuration. */
  readonly blank: (text: string) => string;
}

/** WIRE §10.1: waits after the first and the second failed attempt; after the third the letter is dead. */
const WAITS_MS = [2_000, 10_000] as const;
/** One attempt. */
const ATTEMPT_MS = 10_000;
/** An attempt whose process died is begun again after this. */
const LEASE_MS = 30_000;
const AT_ONCE = 8;

/** Sends what the outbox holds: at least once, under stable ids, over restarts. Woken by whoever puts something; otherwise looks slowly. */
export class Dispatcher {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(
    private readonly deps: OutboxDeps,
    private readonly idleMs = 500,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Takes nothing new and waits for attempts under way, which end by their own time limit. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await Promise.allSettled([...this.running]);
  }

  /** One more attempt of a dead letter, at once. Null: it is not dead. */
  async resend(id: number): Promise<SendEnd | null> {
    const row = await this.deps.outbox.retake(id, LEASE_MS);
    return row && (await this.attempt(row, true));
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const woken = this.deps.wakeups.wait('outbox', this.stopping.signal, this.idleMs);
      const taken = await this.take();
      for (const row of taken) this.begin(row);
      if (taken.length === 0 || this.running.size >= AT_ONCE) await (this.running.size >= AT_ONCE ? Promise.race(this.running) : woken);
    }
  }

  private async take(): Promise<readonly Outgoing[]> {
    try {
      return await this.deps.outbox.take(AT_ONCE - this.running.size, LEASE_MS);
    } catch (error) {
      this.deps.log.error('the outbox cannot be read', { error: String(error) });
      return [];
    }
  }

  private begin(row: Outgoing): void {
    const attempt = this.attempt(row, false)
      .then(() => undefined)
      .catch((error: unknown) =>
        this.deps.log.error('an attempt could not be noted; it will be begun again', { id: row.id, error: String(error) }),
      )
      .finally(() => this.running.delete(attempt));
    this.running.add(attempt);
  }

  private async attempt(row: Outgoing, last: boolean): Promise<SendEnd> {
    const sender = this.deps.senders.get(row.kind);
    const ended: SendEnd = sender
      ? this.blanked(await this.send(row, sender))
      : { is: 'final', error: `nobody sends ${row.kind}`, event: 'outbox_unsent' };
    const end = this.endOf(row, ended, last);
    const noted = attemptLine(row, ended, end, this.deps.clock.now());
    const lines = end.is === 'dead' && !tellsAlert(row) ? [noted, deadAlert(row, end.error, this.deps.clock.now())] : [noted];
    if ((await this.deps.outbox.done(row.id, row.attempt, end, lines)) === 'done') for (const written of lines) this.deps.observe(written);
    return ended;
  }

  /** The body is kept before the first byte leaves, so that every attempt sends the same bytes. */
  private async send(row: Outgoing, sender: OutboxSender): Promise<SendEnd> {
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    try {
      if (row.body !== null) return await sender.send({ ...row, body: row.body }, signal);
      const composed = await sender.compose(row);
      if (composed.is !== 'body') return composed;
      const kept = await this.deps.outbox.keepBody(row.id, row.attempt, composed.body);
      if (kept === 'moved') return { is: 'retry', error: 'another process took this over', event: composed.event };
      return await sender.send({ ...row, body: composed.body }, signal);
    } catch (error) {
      return { is: 'retry', error: this.deps.blank(String(error)).slice(0, 500), event: sender.event };
    }
  }

  /** Once, before the letter, the ledger, an alert or an operator gets to see it. */
  private blanked(ended: SendEnd): SendEnd {
    return ended.is === 'retry' || ended.is === 'final' ? { ...ended, error: this.deps.blank(ended.error) } : ended;
  }

  private endOf(row: Outgoing, ended: SendEnd, last: boolean): AttemptEnd {
    if (ended.is === 'sent') return { is: 'sent' };
    if (ended.is === 'moot') return { is: 'resolved', error: ended.reason };
    const wait = WAITS_MS[row.attempt - 1];
    if (ended.is === 'final' || last || wait === undefined) return { is: 'dead', error: ended.error };
    return { is: 'retry', at: this.deps.clock.now() + wait, error: ended.error };
  }
}

function attemptLine(row: Outgoing, ended: SendEnd, end: AttemptEnd, now: number): Line {
  const of = { job: row.job, requestId: row.requestId };
  const about = { outbox_id: row.id, ...(row.kind === 'approval' && { approval_id: Number(row.ref) }) };
  if (ended.is === 'moot') return line(ended.event, of, now, { ...about, reason: ended.reason });
  const { status, url } = ended;
  const detail = {
    ...about,
    ...(url !== undefined && { url }),
    ...ended.about,
    ok: ended.is === 'sent',
    attempt: row.attempt,
    ...(status !== undefined && { status }),
    ...(ended.is !== 'sent' && { error: ended.error.slice(0, 300), final: end.is === 'dead' }),
  };
  return line(ended.event, of, now, detail);
}

/** An alert that cannot be told is a dead letter, and never the reason for another alert. */
function tellsAlert({ kind, job }: Outgoing): boolean {
  return kind === 'alert' || job === '-';
}

/** A dead letter is something a person should hear of (WIRE §10.4). */
function deadAlert(row: Outgoing, error: string, now: number): Line {
  const message = `A message (${row.kind}) of job ${row.job} could not be sent: ${error.slice(0, 300)} Look at the dead letters.`;
  return line('alert', { job: '-', requestId: 'outbox' }, now, { kind: 'alert', key: `delivery_failed_${placeOf(row)}`, message });
}

/** WIRE §10.4: the channel where there is one, else the kind of the message. */
function placeOf({ kind, target }: Outgoing): string {
  const { type, channel } = JSON.parse(target) as { readonly type?: unknown; readonly channel?: unknown };
  const named =
    kind === 'channel_dead' || kind === 'executor_dead' || kind === 'delivery_executor'
      ? type
      : kind === 'delivery_channel'
        ? channel
        : undefined;
  return typeof named === 'string' ? named : kind;
}
