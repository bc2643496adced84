import type { Ms } from '@bailing/engine/ports';
import type { Reader } from '../dialects/dialect.js';
import { chainAfter, type ChainedRow } from '../statements/audit-reads.js';
import { cutOf, type CutRow } from '../statements/retention.js';
import { RETENTION } from './cuts.js';
import { namedIn } from './heads.js';
import type { LedgerFinding } from './finding.js';
import { hashOf } from './hash-of-row.js';

/** Where a chain was cut is only what a line of the ledger tells: one finding for every row that its line does not bear out. `cuts` come by their lines. */
export async function proveCuts(
  reader: Reader,
  names: ReadonlyMap<number, string>,
  cuts: readonly CutRow[],
): Promise<{ readonly found: readonly LedgerFinding[]; readonly at: Ms | null }> {
  const found: LedgerFinding[] = [];
  let at: Ms | null = null;
  let told: Told | undefined;
  for (const cut of cuts) {
    if (told?.writer !== cut.told_writer || told.seq !== cut.told_seq) told = await toldAt(reader, names, cut);
    at = told.at === null ? at : Math.max(at ?? told.at, told.at);
    if (told.tells(cut) || (await movedMeanwhile(reader, names, cut))) continue;
    const { writer: id, name, seq } = cut;
    const says = `No line of the ledger tells that retention removed this chain up to line ${String(seq)}.`;
    found.push({ is: 'unproven-cut', id, writer: name, seq, says });
  }
  return { found, at };
}

/** What one line tells. */
interface Told {
  readonly writer: number;
  readonly seq: number;
  /** When lines were removed; null where they are only told again. */
  readonly at: Ms | null;
  tells(cut: CutRow): boolean;
}

async function toldAt(reader: Reader, names: ReadonlyMap<number, string>, { told_writer: writer, told_seq: seq }: CutRow): Promise<Told> {
  const [row] = await reader.read(chainAfter, [writer, seq - 1, 1]);
  const cuts = row && holds(row, seq, names.get(writer)) ? (namedIn(row.detail, 'cuts') ?? []) : [];
  const tells = (cut: CutRow): boolean => cuts.some((one) => one.writer === cut.name && one.seq === cut.seq && one.hash === cut.hash);
  return { writer, seq, at: cuts.length > 0 && row && !again(row) ? row.ts : null, tells };
}

function holds(row: ChainedRow, seq: number, writer: string | undefined): boolean {
  return row.seq === seq && row.event === RETENTION && writer !== undefined && hashOf(row, writer) === row.hash;
}

function again(row: ChainedRow): boolean {
  return (JSON.parse(row.detail) as { readonly again?: unknown }).again === true;
}

/** A cut that was told anew since it was read. */
async function movedMeanwhile(reader: Reader, names: ReadonlyMap<number, string>, was: CutRow): Promise<boolean> {
  const [cut] = await reader.read(cutOf, [was.writer]);
  if (!cut || (cut.told_writer === was.told_writer && cut.told_seq === was.told_seq)) return false;
  return (await toldAt(reader, names, cut)).tells(cut);
}
