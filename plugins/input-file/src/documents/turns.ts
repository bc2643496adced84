/** Lets a few through at a time; who leaves hands his place to the one who waits longest. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(private readonly atOnce: number) {}

  /** Resolves when it is one's turn. @throws where the signal is aborted before */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.busy < this.atOnce) {
      this.busy++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const gone = (): void => {
        this.waiting.splice(this.waiting.indexOf(admitted), 1);
        reject(new Error('stopped while it waited for its turn'));
      };
      const admitted = (): void => {
        signal.removeEventListener('abort', gone);
        resolve();
      };
      signal.addEventListener('abort', gone, { once: true });
      this.waiting.push(admitted);
    });
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.busy--;
  }
}
