import type { Seated } from '../seat-of.js';

/** A job with more context than this is read anew for every call: what is kept stays small. */
const METADATA_CHARS = 16_384;
const KEPT = 2_000;

/**
 * The jobs that executors of this process work on, by claim. A claim belongs to one job and one hand-over, so nothing kept here can become
 * wrong; whether the claim still holds is asked before every call. The least recently used go first.
 */
export class SeatedJobs {
  private readonly kept = new Map<string, Seated>();

  of(claim: string): Seated | undefined {
    const found = this.kept.get(claim);
    if (!found) return undefined;
    this.kept.delete(claim);
    this.kept.set(claim, found);
    return found;
  }

  keep(claim: string, seated: Seated, metadataChars: number): void {
    if (metadataChars > METADATA_CHARS) return;
    this.kept.set(claim, seated);
    if (this.kept.size <= KEPT) return;
    for (const oldest of this.kept.keys()) {
      this.kept.delete(oldest);
      return;
    }
  }
}
