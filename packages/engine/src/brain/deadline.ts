/** What a job gets for its last word once its time is up, in milliseconds. */
export const LAST_WORD_MS = 30_000;

/** The time a job has, counted while it is worked on: what a restart or a wait for a person takes is not counted. */
export class Deadline {
  private readonly begun = performance.now();

  constructor(
    /** Milliseconds; undefined: as long as it takes. */
    private readonly limitMs: number | undefined,
    /** What was used before this process went on with the job. */
    private readonly before: number,
    private readonly lastWordMs = LAST_WORD_MS,
  ) {}

  get spentMs(): number {
    return Math.round(this.before + performance.now() - this.begun);
  }

  /** The time is up: what is left is for the last word. */
  get isOver(): boolean {
    return this.limitMs !== undefined && this.spentMs >= this.limitMs;
  }

  /** Does one piece of work and stops it where it would go on past the limit, or past the time of the last word. */
  async within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | 'late'> {
    if (this.limitMs === undefined) return work(signal);
    const end = this.isOver ? this.limitMs + this.lastWordMs : this.limitMs;
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), Math.max(0, end - this.spentMs));
    });
    const done = work(AbortSignal.any([signal, late.signal]));
    try {
      const first = await Promise.race([done, over]);
      if (first !== 'late') return first;
      late.abort();
      done.catch(() => undefined);
      return 'late';
    } finally {
      clearTimeout(timer);
    }
  }
}
