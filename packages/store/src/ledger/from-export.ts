import { BailingError } from '@bailing/plugin-api';
import type { Reader } from '../dialects/dialect.js';
import { chainAfter, type ChainedRow, hashAt, ledgerPage, linesBetween } from '../statements/audit-reads.js';
import { allCuts, cutOf, type CutRow } from '../statements/retention.js';
import { allWriters, type WriterRow } from '../statements/writers.js';
import { CHECKPOINT } from './append.js';
import { RETENTION } from './cuts.js';
import type { ExportLine } from './export.js';
import { namedIn } from './heads.js';
import type { LedgerFinding, LedgerSummary } from './finding.js';
import { walkLedger } from './verify.js';

/** Opens the export from its beginning; called three times, so that memory grows with the checkpoints and not with the ledger. */
export type OpenExport = () => AsyncIterable<string>;

/** Verifies an export without any database, by the same walk. @throws BailingError BAILING_EXPORT_BROKEN for what is no whole export */
export async function* exportFindings(open: OpenExport): AsyncGenerator<LedgerFinding, LedgerSummary, undefined> {
  const surveyed = await survey(open);
  const { hashes, told } = await linesAt(open, surveyed);
  const rows = linesOf(open);
  const { writers, cuts } = surveyed;
  const reader = {
    read: async (statement: unknown, params: readonly unknown[]) => {
      const place = `${String(params[0])} ${String(params[1])}`;
      if (statement === allWriters) return writers;
      if (statement === hashAt) return found(hashes.get(place));
      if (statement === allCuts) return cuts;
      if (statement === cutOf) return cuts.filter(({ writer }) => writer === params[0]);
      if (statement === chainAfter) return one(told.get(`${String(params[0])} ${String(Number(params[1]) + 1)}`));
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

function one<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
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

interface Survey {
  readonly writers: readonly WriterRow[];
  /** Every place that a checkpoint or a cut names. */
  readonly named: ReadonlySet<string>;
  /** The last cut that is told of each chain. */
  readonly cuts: readonly CutRow[];
}

/** The head, the end and its count are looked at. */
async function survey(open: OpenExport): Promise<Survey> {
  const writers: WriterRow[] = [];
  const named = new Set<string>();
  const cuts = new Map<string, Omit<CutRow, 'writer'>>();
  let lines = 0;
  let first = true;
  let end: number | undefined;
  for await (const line of parsed(open)) {
    if (first && line.type !== 'bailing-audit-export') throw broken('Its first line is no head of an audit export.');
    first = false;
    if (line.type === 'writer') writers.push(line);
    if (line.type === 'line') {
      lines += 1;
      note(line, named, cuts);
    }
    if (line.type === 'end') end = line.lines;
  }
  if (end === undefined) throw broken('Its end is missing: the file was cut off.');
  if (end !== lines) throw broken(`Its end names ${String(end)} lines, and it has ${String(lines)}.`);
  return { writers, named, cuts: cutRows(writers, cuts) };
}

function note(line: ChainedRow, named: Set<string>, cuts: Map<string, Omit<CutRow, 'writer'>>): void {
  if (line.event !== CHECKPOINT && line.event !== RETENTION) return;
  const told = line.event === RETENTION;
  for (const { writer: name, seq, hash } of namedIn(line.detail, told ? 'cuts' : 'heads') ?? []) {
    named.add(`${name} ${String(seq)}`);
    if (told && seq >= (cuts.get(name)?.seq ?? 0)) cuts.set(name, { name, seq, hash, told_writer: line.writer, told_seq: line.seq });
  }
}

/** In the order of the lines that tell them. */
function cutRows(writers: readonly WriterRow[], cuts: ReadonlyMap<string, Omit<CutRow, 'writer'>>): readonly CutRow[] {
  const rows = writers.flatMap(({ id, name }) => {
    const cut = cuts.get(name);
    return cut ? [{ ...cut, writer: id }] : [];
  });
  return rows.sort((a, b) => a.told_writer - b.told_writer || a.told_seq - b.told_seq);
}

/** The hashes that are named, and the lines that tell cuts. */
async function linesAt(
  open: OpenExport,
  { writers, named, cuts }: Survey,
): Promise<{ readonly hashes: ReadonlyMap<string, string>; readonly told: ReadonlyMap<string, ChainedRow> }> {
  const names = new Map(writers.map(({ id, name }) => [id, name]));
  const telling = new Set(cuts.map((cut) => `${String(cut.told_writer)} ${String(cut.told_seq)}`));
  const hashes = new Map<string, string>();
  const told = new Map<string, ChainedRow>();
  for await (const row of linesOf(open)) {
    const place = `${names.get(row.writer) ?? ''} ${String(row.seq)}`;
    if (named.has(place)) hashes.set(place, row.hash);
    const numbered = `${String(row.writer)} ${String(row.seq)}`;
    if (telling.has(numbered)) told.set(numbered, row);
  }
  return { hashes, told };
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
