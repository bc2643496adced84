/** One request on its way. Its signal is made when somebody asks for it: most requests end without. */
export class Passage {
  private controller: AbortController | undefined;
  private aborted = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort();
    return this.controller.signal;
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }
}

/** Knows which requests are on their way, and when the server has begun to stop. */
export class Drain {
  private stopping = false;
  private readonly waiting = new Set<() => void>();
  private readonly open = new Set<Passage>();

  get begun(): boolean {
    return this.stopping;
  }

  begin(): void {
    this.stopping = true;
    for (const request of this.open) request.abort();
  }

  /**
   * A request comes in. Its signal aborts when the server begins to stop, or when it leaves unfinished. One controller each and no combined
   * signals: those hold on to the server's own for ever.
   */
  enter(): Passage {
    const request = new Passage();
    this.open.add(request);
    if (this.stopping) request.abort();
    return request;
  }

  leave(request: Passage, finished: boolean): void {
    this.open.delete(request);
    if (!finished) request.abort();
    if (this.open.size > 0) return;
    for (const done of this.waiting) done();
  }

  /** Resolves when no request is on its way, or after `maxMs`. */
  async empty(maxMs: number): Promise<void> {
    if (this.open.size === 0) return;
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
