import type { Ms } from '@bailing/engine/ports';
import type { ChainedRow } from '../statements/audit-reads.js';
import type { OldChain } from '../statements/retention.js';
import type { PlannedCut } from '../units/prune-ledger.js';
import { GENESIS } from './hash.js';
import { hashOf } from './hash-of-row.js';

/**
 * Walks one chain from its beginning to where it may be cut, in pages that the caller reads. A line is passed only where it verifies: what does not
 * is evidence, and it and all that follows it in its chain stay.
 */
export class CutPlan {
  /** Whether a line was met that is not what its hash says. */
  broken = false;
  #seq: number;
  #hash: string | null;
  #lines = 0;
  #over = false;

  constructor(
    private readonly chain: OldChain,
    private readonly before: Ms,
  ) {
    const { seq, cut_seq: cut, cut_hash: hash } = chain;
    const told = cut ?? 0;
    this.#seq = seq - 1;
    // A round that broke off leaves lines that were told already: the first of them is chained to what is gone.
    this.#hash = seq <= told ? null : seq === told + 1 ? (hash ?? GENESIS) : '';
  }

  /** The last line that was passed, after which the next page begins. */
  get after(): number {
    return this.#seq;
  }

  /** Takes a page in order; answers whether to read on. */
  take(page: readonly ChainedRow[]): boolean {
    for (const row of page) {
      if (row.ts > this.before) this.#over = true;
      else if (!this.#fits(row)) this.#over = this.broken = true;
      if (this.#over) return false;
      this.#seq = row.seq;
      this.#hash = row.hash;
      if (row.seq > (this.chain.cut_seq ?? 0)) this.#lines += 1;
    }
    return page.length > 0;
  }

  /** Null where nothing more may go than was told before. */
  get cut(): PlannedCut | null {
    if (this.#lines === 0) return null;
    return { id: this.chain.id, writer: this.chain.name, seq: this.#seq, hash: this.#hash ?? '', lines: this.#lines };
  }

  #fits(row: ChainedRow): boolean {
    if (row.seq !== this.#seq + 1 || (this.#hash !== null && row.prev !== this.#hash)) return false;
    if (row.seq === this.chain.cut_seq && row.hash !== this.chain.cut_hash) return false;
    return hashOf(row, this.chain.name) === row.hash;
  }
}
