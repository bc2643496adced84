import { hashAt, type ChainedRow } from '../statements/audit-reads.js';
import { allWriters, type WriterRow } from '../statements/writers.js';
import type { Reader } from '../dialects/dialect.js';
import { CHECKPOINT } from './append.js';
import { GENESIS, lineHash } from './hash.js';
import { ledgerPages } from './pages.js';

/** One thing that is wrong with the ledger. `id` is the row where it shows. */
export interface LedgerFinding {
  readonly is: 'edited' | 'missing' | 'reordered' | 'cut-off' | 'unknown-writer' | 'unreadable-checkpoint';
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
}

interface ChainState {
  seq: number;
  hash: string;
}

/** Reads the whole ledger once, in pages, and yields what is wrong; memory grows with the number of chains only. */
export async function* walkLedger(reader: Reader): AsyncGenerator<LedgerFinding, LedgerSummary, undefined> {
  // Read first: what was registered and named by then is in the lines that are read afterwards.
  const registered = await reader.read(allWriters, []);
  const names = new Map(registered.map(({ id, name }) => [id, name]));
  const chains = new Map<number, ChainState>();
  const ends = new Map(registered.map(endOf));
  const counted = { lines: 0, checkpoints: 0, findings: 0 };
  for await (const page of ledgerPages(reader)) {
    if (page.some((row) => !names.has(row.writer))) await readNames(reader, names);
    for (const row of page) {
      counted.lines += 1;
      const found = checkRow(row, names.get(row.writer), chains);
      if (row.event === CHECKPOINT) {
        counted.checkpoints += 1;
        found.push(...(await checkHeads(reader, row, ends)));
      }
      counted.findings += found.length;
      yield* found;
    }
  }
  const cut = cutOff(ends, new Map([...chains].map(([id, { seq }]) => [names.get(id) ?? String(id), seq])));
  counted.findings += cut.length;
  yield* cut;
  return { ...counted, chains: chains.size };
}

/** The farthest line that somebody knows a chain to have reached, by the writer's name. */
type Ends = Map<string, Omit<LedgerFinding, 'is'>>;

/** A chain is registered with its first line, and its row notes how far checkpoints saw it: also where all its lines are gone, and theirs. */
function endOf({ id, name, named_seq: named }: WriterRow): [string, Omit<LedgerFinding, 'is'>] {
  const seq = Math.max(1, named);
  return [name, { id, writer: name, seq, says: `This chain is registered up to line ${String(seq)}, which is gone.` }];
}

/** One finding for each chain that ends before a line it is known to have reached; what is gone from its middle is missing. */
function cutOff(ends: Ends, reached: ReadonlyMap<string, number>): LedgerFinding[] {
  return [...ends.values()].filter(({ writer, seq }) => (reached.get(writer) ?? 0) < seq).map((end) => ({ is: 'cut-off', ...end }));
}

async function readNames(reader: Reader, names: Map<number, string>): Promise<void> {
  for (const { id, name } of await reader.read(allWriters, [])) names.set(id, name);
}

function checkRow(row: ChainedRow, writer: string | undefined, chains: Map<number, ChainState>): LedgerFinding[] {
  const before = chains.get(row.writer) ?? { seq: 0, hash: GENESIS };
  const at = { id: row.id, writer: writer ?? String(row.writer), seq: row.seq };
  const found: LedgerFinding[] = [];
  if (writer === undefined) found.push({ is: 'unknown-writer', ...at, says: 'The row names a writer that is not registered.' });
  if (row.seq <= before.seq) {
    found.push({ is: 'reordered', ...at, says: `Line ${String(row.seq)} stands after line ${String(before.seq)} of its chain.` });
    return found;
  }
  if (row.seq > before.seq + 1) {
    found.push({ is: 'missing', ...at, says: `Lines ${String(before.seq + 1)} to ${String(row.seq - 1)} of this chain are gone.` });
  } else if (row.prev !== before.hash) {
    found.push({ is: 'edited', ...at, says: 'The hash of the line before is not the one this line was chained to.' });
  }
  if (writer !== undefined && hashOf(row, writer) !== row.hash) {
    found.push({ is: 'edited', ...at, says: 'The content of this line does not match its hash.' });
  }
  chains.set(row.writer, { seq: row.seq, hash: row.hash });
  return found;
}

function hashOf(row: ChainedRow, writer: string): string {
  const { job_id: job, request_id: requestId, ts: at, event, title, summary, detail } = row;
  const line = { job, requestId, at, event, stage: row.stage as 'system', severity: row.severity as 'info', title, summary, detail };
  return lineHash({ writer, seq: row.seq, prev: row.prev, line });
}

interface NamedHead {
  readonly writer: string;
  readonly seq: number;
  readonly hash: string;
}

/** What a checkpoint names must still be there, and as it was. Notes in `ends` what is not there: where nothing follows it, an end was cut off. */
async function checkHeads(reader: Reader, row: ChainedRow, ends: Ends): Promise<LedgerFinding[]> {
  const heads = headsOf(row.detail);
  if (heads === null) {
    return [{ is: 'unreadable-checkpoint', id: row.id, writer: String(row.writer), seq: row.seq, says: 'Its detail names no heads.' }];
  }
  const found: LedgerFinding[] = [];
  for (const { writer, seq, hash } of heads) {
    const [kept] = await reader.read(hashAt, [writer, seq]);
    const at = { id: row.id, writer, seq };
    if (kept && kept.hash !== hash) found.push({ is: 'edited', ...at, says: `A checkpoint saw another hash at line ${String(seq)}.` });
    if (!kept && seq >= (ends.get(writer)?.seq ?? 0))
      ends.set(writer, { ...at, says: `A checkpoint saw this chain reach line ${String(seq)}, which is gone.` });
  }
  return found;
}

/** What a checkpoint names; null where its detail cannot be read. */
export function headsOf(detail: string): readonly NamedHead[] | null {
  let value: unknown;
  try {
    value = JSON.parse(detail);
  } catch {
    return null;
  }
  const heads = typeof value === 'object' && value !== null ? (value as { heads?: unknown }).heads : undefined;
  return Array.isArray(heads) && heads.every(isHead) ? heads : null;
}

function isHead(value: unknown): value is NamedHead {
  if (typeof value !== 'object' || value === null) return false;
  const { writer, seq, hash } = value as Record<string, unknown>;
  return typeof writer === 'string' && typeof seq === 'number' && typeof hash === 'string';
}
