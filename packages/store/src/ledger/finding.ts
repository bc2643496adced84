import type { Ms } from '@bailing/engine/ports';

/** One thing that is wrong with the ledger. `id` is the row where it shows. */
export interface LedgerFinding {
  readonly is: 'edited' | 'missing' | 'reordered' | 'cut-off' | 'unknown-writer' | 'unreadable-checkpoint' | 'unproven-cut';
  readonly id: number;
  readonly writer: string;
  readonly seq: number;
  readonly says: string;
}

export interface LedgerSummary {
  readonly lines: number;
  readonly chains: number;
  readonly checkpoints: number;
  readonly findings: number;
  /** Time of the oldest line; null where there is none. */
  readonly from: Ms | null;
  /** Lines that went before, as the ledger itself tells; `at`: when that was told last, null where it was only told again since. */
  readonly pruned: { readonly lines: number; readonly chains: number; readonly at: Ms | null };
}
