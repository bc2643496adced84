import type { Reader } from '../dialects/dialect.js';
import type { ChainedRow } from '../statements/audit-reads.js';
import { allWriters, type WriterRow } from '../statements/writers.js';
import { withLedger } from './open-ledger.js';
import { ledgerPages } from './pages.js';

/** One line of an export: first the head, then the writers, then the ledger in order of writing, then the end with its count. */
export type ExportLine =
  | { readonly type: 'bailing-audit-export'; readonly version: 1; readonly generated_at: string }
  | ({ readonly type: 'writer' } & WriterRow)
  | ({ readonly type: 'line' } & ChainedRow)
  | { readonly type: 'end'; readonly lines: number };

/** The whole ledger of a database, page by page, with everything its chains are verified by. Lines that are written meanwhile are left out. */
export function exportLedger(url: string, now = Date.now()): AsyncGenerator<ExportLine, void, undefined> {
  return withLedger(url, (reader) => exported(reader, now));
}

async function* exported(reader: Reader, now: number): AsyncGenerator<ExportLine, void, undefined> {
  yield { type: 'bailing-audit-export', version: 1, generated_at: new Date(now).toISOString() };
  // Read first: a chain that begins later has no line in this export, so nothing of it can be missed.
  const writers = await reader.read(allWriters, []);
  for (const row of writers) yield { type: 'writer', ...plain(row) };
  const known = new Set(writers.map(({ id }) => id));
  let lines = 0;
  for await (const page of ledgerPages(reader)) {
    for (const row of page.filter(({ writer }) => known.has(writer))) {
      lines += 1;
      yield { type: 'line', ...plain(row) };
    }
  }
  yield { type: 'end', lines };
}

/** A driver's row with its columns and nothing a driver adds. */
function plain<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== 'object' || value === null)) as Row;
}
