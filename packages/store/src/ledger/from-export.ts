import { BailingError } from '@bailing/plugin-api';
import type { Reader } from '../dialects/dialect.js';
import { type ChainedRow, hashAt, ledgerPage, linesBetween } from '../statements/audit-reads.js';
import { allWriters, type WriterRow } from '../statements/writers.js';
import { CHECKPOINT } from './append.js';
import type { ExportLine } from './export.js';
import { headsOf, type LedgerFinding, type LedgerSummary, walkLedger } from './verify.js';

/** Opens the export from its beginning; called three times, so that memory grows with the checkpoints and not with the ledger. */
export type OpenExport = () => AsyncIterable<string>;

/** Verifies an export without any database, by the same walk. @throws BailingError BAILING_EXPORT_BROKEN for what is no whole export */
export async function* exportFindings(open: OpenExport): AsyncGenerator<LedgerFinding, LedgerSummary, undefined> {
  const { writers, named } = await survey(open);
  const hashes = await hashesAt(open, writers, named);
  const rows = linesOf(open);
  const reader = {
    read: async (statement: unknown, params: readonly unknown[]) => {
      if (statement === allWriters) return writers;
      if (statement === hashAt) return found(hashes.get(`${String(params[0])} ${String(params[1])}`));
      // What an export lacks is nowhere else.
      if (statement === linesBetween) return [];
      if (statement === ledgerPage) return next(rows, Number(params[1]));
      throw new Error('an export answers no other question');
    },
  };
  return yield* walkLedger(reader as unknown as Reader);
}

function found(hash: string | undefined): readonly { readonly hash: string }[] {
  return hash === undefined ? [] : [{ hash }];
}

async function next(rows: AsyncIterator<ChainedRow>, count: number): Promise<readonly ChainedRow[]> {
  const page: ChainedRow[] = [];
  while (page.length < count) {
    const step = await rows.next();
    if (step.done === true) break;
    page.push(step.value);
  }
  return page;
}

/** Writers, and every place a checkpoint names. The head, the end and its count are looked at. */
async function survey(open: OpenExport): Promise<{ readonly writers: readonly WriterRow[]; readonly named: ReadonlySet<string> }> {
  const writers: WriterRow[] = [];
  const named = new Set<string>();
  let lines = 0;
  let first = true;
  let end: number | undefined;
  for await (const line of parsed(open)) {
    if (first && line.type !== 'bailing-audit-export') throw broken('Its first line is no head of an audit export.');
    first = false;
    if (line.type === 'writer') writers.push(line);
    if (line.type === 'line') {
      lines += 1;
      if (line.event === CHECKPOINT) for (const { writer, seq } of headsOf(line.detail) ?? []) named.add(`${writer} ${String(seq)}`);
    }
    if (line.type === 'end') end = line.lines;
  }
  if (end === undefined) throw broken('Its end is missing: the file was cut off.');
  if (end !== lines) throw broken(`Its end names ${String(end)} lines, and it has ${String(lines)}.`);
  return { writers, named };
}

async function hashesAt(open: OpenExport, writers: readonly WriterRow[], named: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const names = new Map(writers.map(({ id, name }) => [id, name]));
  const hashes = new Map<string, string>();
  for await (const row of linesOf(open)) {
    const place = `${names.get(row.writer) ?? ''} ${String(row.seq)}`;
    if (named.has(place)) hashes.set(place, row.hash);
  }
  return hashes;
}

async function* linesOf(open: OpenExport): AsyncGenerator<ChainedRow, void, undefined> {
  for await (const line of parsed(open)) if (line.type === 'line') yield line;
}

async function* parsed(open: OpenExport): AsyncGenerator<ExportLine, void, undefined> {
  let at = 0;
  for await (const text of open()) {
    at += 1;
    if (text.trim() === '') continue;
    yield lineOf(text, at);
  }
}

function lineOf(text: string, at: number): ExportLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(`Line ${String(at)} is no JSON.`);
  }
  if (!isExportLine(value)) throw broken(`Line ${String(at)} is none that an export has.`);
  return value;
}

/** As far as the walk depends on it; whether the content is what was written is for the hashes to say. */
function isExportLine(value: unknown): value is ExportLine {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id, name, writer, seq, event, detail, hash } = value as Record<string, unknown>;
  if (type === 'writer') return typeof id === 'number' && typeof name === 'string';
  if (type === 'line') return [id, writer, seq].every(Number.isInteger) && [event, detail, hash].every((one) => typeof one === 'string');
  return type === 'bailing-audit-export' || type === 'end';
}

function broken(detail: string): BailingError {
  return new BailingError('BAILING_EXPORT_BROKEN', { detail });
}
