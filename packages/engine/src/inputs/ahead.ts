/** Downloads of one medium that go on at once. */
const AT_ONCE = 4;
/** Bytes that are kept of things whose turn has not come; the one whose turn it is has its own limit. */
const SPARE_BYTES = 8_388_608;

/** The turn of one of several things that are fetched side by side and read one after the other. */
export interface Turn {
  /** Ends when there is room for so many bytes more. */
  room(bytes: number): Promise<void>;
  /** Ends when everything before it was read. @throws where the signal is aborted */
  mine(signal: AbortSignal): Promise<void>;
}

/** Begins a few of them ahead of the one that is being read and answers them in their order. What waits for its turn holds little memory. */
export async function* ahead<I, T>(items: readonly I[], begin: (item: I, index: number, turn: Turn) => Promise<T>): AsyncGenerator<T> {
  const line = new Line();
  // By their place; what was read is held by nobody.
  const begun = new Map<number, Promise<T>>();
  let next = 0;
  for (let index = 0; index < items.length; index++) {
    line.reach(index);
    for (const item of items.slice(next, index + AT_ONCE)) {
      const one = begin(item, next, line.turnOf(next));
      // Nobody waits for it yet.
      one.catch(() => undefined);
      begun.set(next++, one);
    }
    const one = begun.get(index);
    begun.delete(index);
    if (one) yield await one;
  }
}

class Line {
  private head = 0;
  private kept = 0;
  private readonly held = new Map<number, number>();
  private readonly waiting = new Set<() => void>();

  /** What is reached may take its own limit; what it held makes room for the others. */
  reach(index: number): void {
    this.head = index;
    this.kept -= this.held.get(index) ?? 0;
    this.held.delete(index);
    this.wake();
  }

  private wake(): void {
    const all = [...this.waiting];
    this.waiting.clear();
    for (const one of all) one();
  }

  turnOf(index: number): Turn {
    return {
      room: async (bytes) => {
        while (index > this.head && this.kept + bytes > SPARE_BYTES) await new Promise<void>((resolve) => this.waiting.add(resolve));
        if (index <= this.head) return;
        this.kept += bytes;
        this.held.set(index, (this.held.get(index) ?? 0) + bytes);
      },
      mine: async (signal) => {
        const wake = (): void => this.wake();
        signal.addEventListener('abort', wake, { once: true });
        while (index > this.head && !signal.aborted) await new Promise<void>((resolve) => this.waiting.add(resolve));
        signal.removeEventListener('abort', wake);
        signal.throwIfAborted();
      },
    };
  }
}
