import type { Ms } from '@bailing/engine/ports';
import { hashAt, type ChainedRow } from '../statements/audit-reads.js';
import { allCuts, cutOf, type CutRow } from '../statements/retention.js';
import { allWriters, type WriterRow } from '../statements/writers.js';
import type { Reader } from '../dialects/dialect.js';
import { CHECKPOINT } from './append.js';
import { RETENTION } from './cuts.js';
import type { LedgerFinding, LedgerSummary } from './finding.js';
import { GENESIS } from './hash.js';
import { hashOf } from './hash-of-row.js';
import { namedIn } from './heads.js';
import { ledgerPages } from './pages.js';
import { proveCuts } from './prove-cuts.js';

interface ChainState {
  readonly first: number;
  readonly seq: number;
  readonly hash: string;
}

type Place = Omit<LedgerFinding, 'is'>;

/** What is known while the ledger is walked; all of it grows with the number of chains only. */
interface Known {
  readonly names: Map<number, string>;
  readonly chains: Map<number, ChainState>;
  /** The farthest line that somebody knows a chain to have reached, by the writer's name. */
  readonly ends: Map<string, Place>;
  readonly cuts: Cuts;
}

/** Reads the whole ledger once, in pages, and yields what is wrong; memory grows with the number of chains only. */
export async function* walkLedger(reader: Reader): AsyncGenerator<LedgerFinding, LedgerSummary, undefined> {
  // Read first: what was registered and named by then is in the lines that are read afterwards.
  const registered = await reader.read(allWriters, []);
  const names = new Map(registered.map(({ id, name }) => [id, name]));
  const known: Known = { names, chains: new Map(), ends: new Map(registered.map(endOf)), cuts: new Cuts(reader) };
  await known.cuts.readAll();
  const counted = { lines: 0, checkpoints: 0, findings: 0 };
  let from: Ms | null = null;
  for await (const page of ledgerPages(reader)) {
    if (page.some((row) => !names.has(row.writer))) await readNames(reader, names);
    for (const row of page) {
      counted.lines += 1;
      if (row.event === CHECKPOINT) counted.checkpoints += 1;
      from = Math.min(from ?? row.ts, row.ts);
      const found = [...(await checkRow(row, known)), ...(await checkNames(reader, row, known))];
      counted.findings += found.length;
      yield* found;
    }
  }
  // Read again: retention may have gone on meanwhile.
  const proved = await proveCuts(reader, names, await known.cuts.readAll());
  const last = [...proved.found, ...cutOff(known)];
  counted.findings += last.length;
  yield* last;
  return { ...counted, chains: known.chains.size, from, pruned: { ...gone(known), at: proved.at } };
}

/** Where retention cut chains, by the rows that say so; a row that the ledger does not bear out is found at the end. */
class Cuts {
  #byWriter = new Map<number, CutRow>();
  #byName = new Map<string, CutRow>();

  constructor(private readonly reader: Reader) {}

  async readAll(): Promise<readonly CutRow[]> {
    const rows = await this.reader.read(allCuts, []);
    this.#byWriter = new Map(rows.map((row) => [row.writer, row]));
    this.#byName = new Map(rows.map((row) => [row.name, row]));
    return rows;
  }

  get all(): Iterable<CutRow> {
    return this.#byWriter.values();
  }

  of(writer: number): CutRow | undefined {
    return this.#byWriter.get(writer);
  }

  named(writer: string): CutRow | undefined {
    return this.#byName.get(writer);
  }

  /** Looks again where a line is lacking that may have gone since. */
  async covering(writer: number, seq: number): Promise<void> {
    if ((this.of(writer)?.seq ?? 0) >= seq) return;
    const [row] = await this.reader.read(cutOf, [writer]);
    if (!row) return;
    this.#byWriter.set(writer, row);
    this.#byName.set(row.name, row);
  }
}

/** A chain is registered with its first line, and its row notes how far checkpoints saw it: also where all its lines are gone, and theirs. */
function endOf({ id, name, named_seq: named }: WriterRow): [string, Place] {
  const seq = Math.max(1, named);
  return [name, { id, writer: name, seq, says: `This chain is registered up to line ${String(seq)}, which is gone.` }];
}

/** One finding for each chain that ends before a line it is known to have reached; what is gone from its middle is missing. */
function cutOff({ ends, chains, names, cuts }: Known): LedgerFinding[] {
  const reached = new Map([...chains].map(([id, { seq }]) => [names.get(id) ?? String(id), seq]));
  const reach = (writer: string): number => Math.max(reached.get(writer) ?? 0, cuts.named(writer)?.seq ?? 0);
  return [...ends.values()].filter(({ writer, seq }) => reach(writer) < seq).map((end) => ({ is: 'cut-off', ...end }));
}

function gone({ cuts, chains }: Known): { readonly lines: number; readonly chains: number } {
  const counts = [...cuts.all].map(({ writer, seq }) => Math.min(seq, (chains.get(writer)?.first ?? Infinity) - 1));
  return { lines: counts.reduce((sum, count) => sum + count, 0), chains: counts.filter((count) => count > 0).length };
}

async function readNames(reader: Reader, names: Map<number, string>): Promise<void> {
  for (const { id, name } of await reader.read(allWriters, [])) names.set(id, name);
}

async function checkRow(row: ChainedRow, { names, chains, cuts }: Known): Promise<LedgerFinding[]> {
  const writer = names.get(row.writer);
  const before = chains.get(row.writer);
  const at = { id: row.id, writer: writer ?? String(row.writer), seq: row.seq };
  const found: LedgerFinding[] = [];
  const edited = (says: string) => found.push({ is: 'edited', ...at, says });
  if (writer === undefined) found.push({ is: 'unknown-writer', ...at, says: 'The row names a writer that is not registered.' });
  if (before && row.seq <= before.seq) {
    found.push({ is: 'reordered', ...at, says: `Line ${String(row.seq)} stands after line ${String(before.seq)} of its chain.` });
    return found;
  }
  if (row.seq > (before?.seq ?? 0) + 1) await cuts.covering(row.writer, row.seq - 1);
  const cut = cuts.of(row.writer);
  const { seq, hash } = precedent(row, before, cut);
  if (row.seq > seq + 1) {
    found.push({ is: 'missing', ...at, says: `Lines ${String(seq + 1)} to ${String(row.seq - 1)} of this chain are gone.` });
  } else if (hash !== null && row.prev !== hash) edited('The hash of the line before is not the one this line was chained to.');
  if (row.seq === cut?.seq && row.hash !== cut.hash) edited(`Retention saw another hash at line ${String(row.seq)}.`);
  if (writer !== undefined && hashOf(row, writer) !== row.hash) edited('The content of this line does not match its hash.');
  chains.set(row.writer, { first: before?.first ?? row.seq, seq: row.seq, hash: row.hash });
  return found;
}

/** The line that must stand before a row, or have stood there: also where retention removed it. The hash is null where it is nowhere any more. */
function precedent(
  row: ChainedRow,
  before: ChainState | undefined,
  cut: CutRow | undefined,
): { readonly seq: number; readonly hash: string | null } {
  const kept = before ?? { seq: 0, hash: GENESIS };
  if (!cut || row.seq === kept.seq + 1 || kept.seq >= cut.seq) return kept;
  // Retention has not come to the end of what it told, or goes on while this is read.
  return row.seq <= cut.seq ? { seq: row.seq - 1, hash: null } : cut;
}

/** What a checkpoint or a cut names must be there as it was, or have gone as the ledger tells. Notes in `ends` what is not there. */
async function checkNames(reader: Reader, row: ChainedRow, { ends, cuts }: Known): Promise<LedgerFinding[]> {
  if (row.event !== CHECKPOINT && row.event !== RETENTION) return [];
  const heads = namedIn(row.detail, row.event === CHECKPOINT ? 'heads' : 'cuts');
  if (heads === null) {
    return [{ is: 'unreadable-checkpoint', id: row.id, writer: String(row.writer), seq: row.seq, says: 'Its detail names no heads.' }];
  }
  const found: LedgerFinding[] = [];
  for (const { writer, seq, hash } of heads) {
    const [kept] = await reader.read(hashAt, [writer, seq]);
    const cut = cuts.named(writer);
    const there = kept?.hash ?? (cut?.seq === seq ? cut.hash : undefined);
    const at = { id: row.id, writer, seq };
    if (there !== undefined && there !== hash)
      found.push({ is: 'edited', ...at, says: `A checkpoint saw another hash at line ${String(seq)}.` });
    if (there === undefined && seq >= (ends.get(writer)?.seq ?? 0))
      ends.set(writer, { ...at, says: `A checkpoint saw this chain reach line ${String(seq)}, which is gone.` });
  }
  return found;
}
