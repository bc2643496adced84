import type { Line, Ms } from '@bailing/engine/ports';
import { insertLine, insertLines, type LineParams } from '../statements/audit-insert.js';
import { type HeadRow, insertWriter, noteNamed, unnamedHeads } from '../statements/writers.js';
import { change, insert, rows, type Steps, type Tx, type WaitingLine } from '../lane/unit.js';
import { lineHash, storable } from './hash.js';

/** The ledger's own event: names the heads of other chains, so that what is removed from their ends afterwards is missed. */
export const CHECKPOINT = 'ledger_checkpoint';
/** Heads named by one line, which keeps its detail under the 64 KiB of a field. */
const HEADS_PER_LINE = 200;

/** Appends one line to the chain of the running lane: one statement, one hash. The first line of a chain is preceded by its checkpoint. */
export function* append(tx: Tx, line: Line, at: Ms = line.at): Steps<void> {
  yield* begun(tx);
  yield* appendRow(tx, storable(line, at));
}

/** Sees to it that the chain of the running lane has begun, so that the place of its next line is known. */
export function* begun(tx: Tx): Steps<void> {
  if (!tx.chain.begun) yield* beginChain(tx);
}

function* beginChain(tx: Tx): Steps<void> {
  const writer = yield* insert(insertWriter, [tx.chain.name, tx.now]);
  tx.chain.head = { ...tx.chain.head, writer };
  yield* checkpoint(tx, 'start');
}

/** Records the heads of all chains that grew since somebody last named them. */
export function* checkpoint(tx: Tx, why: 'start' | 'close'): Steps<void> {
  for (let more = true; more;) {
    const heads = yield* rows(unnamedHeads, [tx.chain.head.writer, HEADS_PER_LINE]);
    yield* appendRow(tx, storable(checkpointLine(tx, why, heads), tx.now));
    for (const head of heads) yield* change(noteNamed, [head.seq, head.id]);
    more = heads.length === HEADS_PER_LINE;
  }
}

function checkpointLine(tx: Tx, why: string, heads: readonly HeadRow[]): Line {
  return {
    event: CHECKPOINT,
    at: tx.now,
    job: '-',
    requestId: 'ledger',
    stage: 'system',
    severity: 'info',
    title: why === 'start' ? 'Ledger chain begun' : 'Ledger chain closed',
    summary: `${tx.chain.name} names ${String(heads.length)} other chain heads`,
    detail: JSON.stringify({ why, writer: tx.chain.name, heads: heads.map(({ name, seq, hash }) => ({ writer: name, seq, hash })) }),
  };
}

function* appendRow(tx: Tx, line: Line): Steps<void> {
  const { writer, prev, seq: last } = tx.chain.head;
  const seq = last + 1;
  const hash = lineHash({ writer: tx.chain.name, seq, prev, line });
  const row: LineParams = [
    line.job,
    line.requestId,
    line.at,
    line.event,
    line.stage,
    line.severity,
    line.title,
    line.summary,
    line.detail,
    writer,
    seq,
    prev,
    hash,
  ];
  if (tx.hopes) tx.hopes.lines.push(row);
  else yield* change(insertLine, row);
  tx.chain.head = { writer, seq, prev: hash };
}

/** Rows per statement; a batch is written in few statements of few different lengths. */
const LENGTHS = [32, 16, 8, 4, 2, 1] as const;

/** Writes the lines that waited for the end of a batch. */
export function* flushLines(lines: readonly WaitingLine[]): Steps<void> {
  let from = 0;
  for (const length of LENGTHS) {
    for (; lines.length - from >= length; from += length) yield* change(insertLines(length), lines.slice(from, from + length).flat());
  }
}
