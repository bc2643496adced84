import type { Reader } from '../dialects/dialect.js';
import { ledgerPage, linesBetween, type ChainedRow } from '../statements/audit-reads.js';

const PAGE = 1000;

/**
 * The whole ledger in pages, in order of writing. MySQL gives out ids before the commit, so a line may come under an id that was read past: it is
 * put before the line of its chain that shows it lacking. Memory grows with the number of chains only.
 */
export async function* ledgerPages(reader: Reader): AsyncGenerator<readonly ChainedRow[], void, undefined> {
  const reached = new Map<number, number>();
  for (let after = 0; ;) {
    const page = await reader.read(ledgerPage, [after, PAGE]);
    yield await withLate(reader, page, reached);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

async function withLate(reader: Reader, page: readonly ChainedRow[], reached: Map<number, number>): Promise<readonly ChainedRow[]> {
  const whole: ChainedRow[] = [];
  for (const row of page) {
    const before = reached.get(row.writer) ?? 0;
    if (row.seq > before + 1) whole.push(...(await reader.read(linesBetween, [row.writer, before, row.seq, row.id, PAGE])));
    whole.push(row);
    reached.set(row.writer, Math.max(before, row.seq));
  }
  return whole;
}
