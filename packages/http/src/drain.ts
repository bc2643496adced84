/** Knows which requests are on their way, and when the server has begun to stop. */
export class Drain {
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<() => void>();
  private count = 0;

  /** Aborts when the server begins to stop. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get begun(): boolean {
    return this.stopping.signal.aborted;
  }

  begin(): void {
    this.stopping.abort();
  }

  enter(): void {
    this.count++;
  }

  leave(): void {
    this.count--;
    if (this.count > 0) return;
    for (const done of this.waiting) done();
  }

  /** Resolves when no request is on its way, or after `maxMs`. */
  async empty(maxMs: number): Promise<void> {
    if (this.count === 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, maxMs);
      this.waiting.add(done);
    });
  }
}
