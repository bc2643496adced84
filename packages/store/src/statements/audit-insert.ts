import { statement } from './statement.js';

export const insertLine = statement<
  [
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
  ]
>(
  'insert-line',
  `INSERT INTO bz_audit (job_id, request_id, ts, event, stage, severity, title, summary, detail, writer, seq, prev, hash)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
