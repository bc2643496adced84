import { BailingError } from '@bailing/plugin-api';
import type { Store } from '@bailing/engine/ports';
import { readerOf } from '../open-store.js';
import { withLedger } from './open-ledger.js';
import type { LedgerFinding, LedgerSummary } from './finding.js';
import { walkLedger } from './verify.js';

export interface LedgerReport extends LedgerSummary {
  /** The first of them; `findings` counts all. */
  readonly found: readonly LedgerFinding[];
}

const FOUND_MAX = 1_000;

/** Yields what is wrong with the ledger of an open store or of a database URL, and returns a summary. */
export async function* ledgerFindings(source: Store | string): AsyncGenerator<LedgerFinding, LedgerSummary, undefined> {
  if (typeof source !== 'string') {
    const reader = readerOf(source);
    if (!reader) throw new BailingError('BAILING_STORE_FAILED', { detail: 'This store was not opened by openStore.' });
    return yield* walkLedger(reader);
  }
  return yield* withLedger(source, walkLedger);
}

/** Reads the whole ledger and reports every edited, removed or reordered row (WIRE §15 lines, chained per writer, tied by checkpoints). */
export async function verifyLedger(source: Store | string): Promise<LedgerReport> {
  const found: LedgerFinding[] = [];
  const walk = ledgerFindings(source);
  for (let step = await walk.next(); ; step = await walk.next()) {
    if (step.done === true) return { ...step.value, found };
    if (found.length < FOUND_MAX) found.push(step.value);
  }
}
