import type { Log } from '@bailing/plugin-api';
import type { DutyStore } from './ports/index.js';

export interface DutyOptions {
  /** What one replica at a time holds. */
  readonly name: string;
  readonly everyMs: number;
  /** Long enough for a few passes: whoever takes over after a crash does so this soon. */
  readonly holdMs: number;
  readonly duties: DutyStore;
  readonly log: Log;
  /** What the log says where a pass fails; the next one tries again. */
  readonly failed: string;
}

/**
 * Work that comes round by itself, done by one replica at a time. Two may meet while a duty changes hands, so what a pass moves it moves by
 * conditional updates. A pass never meets itself in one process, and a stop waits for it.
 */
export abstract class Duty {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private readonly stopper = new AbortController();
  /** A pass of several commits ends early once this is aborted. */
  protected readonly stopping: AbortSignal = this.stopper.signal;

  constructor(private readonly duty: DutyOptions) {}

  /** One look at everything that is due; answers what came of it. */
  abstract pass(): Promise<unknown>;

  /** Whether there may be anything to do at all; asked before the duty is taken. */
  protected wanted(): boolean | Promise<boolean> {
    return true;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.working ??= this.tick().finally(() => (this.working = undefined));
    }, this.duty.everyMs);
  }

  async stop(): Promise<void> {
    this.stopper.abort();
    clearInterval(this.timer);
    await this.working;
  }

  private async tick(): Promise<void> {
    const { name, holdMs, duties, log, failed } = this.duty;
    try {
      if ((await this.wanted()) && (await duties.hold(name, holdMs))) await this.pass();
    } catch (error) {
      log.warn(failed, { error: String(error) });
    }
  }
}
