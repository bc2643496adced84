/** All downloads of one message together, and each of them, may take this long. */
const WHOLE_MS = 60_000;
const ORDER = ['audio', 'file', 'image'] as const;

type Medium = (typeof ORDER)[number];

/**
 * The time in which a message's downloads go on, however long is read in between. Each medium leaves those after it their share, and takes what those
 * before it left.
 */
export class FetchTime {
  private readonly mosts: ReadonlyMap<Medium, number>;
  private spent = 0;
  private going = 0;
  private since = 0;

  constructor(links: Readonly<Record<Medium, readonly unknown[]>>, wholeMs = WHOLE_MS) {
    const media = ORDER.filter((medium) => links[medium].length > 0);
    this.mosts = new Map(media.map((medium, n) => [medium, (wholeMs * (n + 1)) / media.length]));
  }

  /** Milliseconds that a download of this medium may take now; not above 0: none. */
  left(medium: Medium): number {
    const now = this.spent + (this.going > 0 ? performance.now() - this.since : 0);
    return Math.floor((this.mosts.get(medium) ?? WHOLE_MS) - now);
  }

  /** A download that is kept waiting takes no time. */
  async pausing(wait: () => Promise<void>): Promise<void> {
    this.pause();
    try {
      await wait();
    } finally {
      this.go();
    }
  }

  /** Counts while one or more of them go on. */
  async during<T>(download: () => Promise<T>): Promise<T> {
    this.go();
    try {
      return await download();
    } finally {
      this.pause();
    }
  }

  private go(): void {
    if (this.going++ === 0) this.since = performance.now();
  }

  private pause(): void {
    if (--this.going === 0) this.spent += performance.now() - this.since;
  }
}
