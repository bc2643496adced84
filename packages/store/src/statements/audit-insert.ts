import { type Statement, statement, type Value } from './statement.js';

const INSERT = `INSERT INTO bz_audit (job_id, request_id, ts, event, stage, severity, title, summary, detail, writer, seq, prev, hash) VALUES`;
const ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

export type LineParams = [
  job: string,
  requestId: string,
  ts: number,
  event: string,
  stage: string,
  severity: string,
  title: string,
  summary: string,
  detail: string,
  writer: number,
  seq: number,
  prev: string,
  hash: string,
];

export const insertLine = statement<LineParams>('insert-line', `${INSERT} ${ROW}`);

const kept = new Map<number, Statement<readonly Value[]>>();

/** Several lines at once, in order. Parameters: those of `insert-line`, once per line. */
export function insertLines(count: number): Statement<readonly Value[]> {
  const found = kept.get(count) ?? statement<readonly Value[]>('insert-lines', `${INSERT} ${Array<string>(count).fill(ROW).join(', ')}`);
  kept.set(count, found);
  return found;
}
