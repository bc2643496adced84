import { randomUUID } from 'node:crypto';
import { signDecision, verifyCallback } from '@bailing/verifier';
import type { OrdersDatabase } from './database.js';

/** Where decisions go: the hub's address and the token of the client that triggers jobs, which signs both ways. */
export interface HubLink {
  readonly url: string;
  readonly clientToken: string;
}

export interface ApprovalRow {
  readonly approval_id: number;
  readonly job_id: string;
  readonly request_id: string;
  readonly args_hash: string;
  readonly tool: string;
  readonly subject: string;
  readonly summary: string;
  /** The whole request as it came. */
  readonly request: string;
  /** How often the hub told us. */
  readonly deliveries: number;
  readonly status: string;
  readonly decision_id: string | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
}

export type DecisionAnswer = { readonly ok: boolean; readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The permission of the back office that lets a person decide. Who may approve is decided here, never in the hub. */
const NEEDS = 'refund.approve';

/** The approvals of this business: a table of its own, filled by the hub's signed questions and answered by signed decisions. */
export class Approvals {
  constructor(
    private readonly database: OrdersDatabase,
    private readonly hub: () => HubLink | undefined,
  ) {}

  /** `POST /approvals`: one signed question. The same question again is the same row. */
  receive(rawBody: Buffer, timestamp: string, signature: string): { readonly status: number; readonly body: object } {
    const hub = this.hub();
    if (!hub || !verifyCallback(hub.clientToken, { rawBody, timestamp, signature }))
      return { status: 401, body: { error: 'bad signature' } };
    const request = JSON.parse(rawBody.toString('utf8')) as Readonly<Record<string, unknown>>;
    if (request.kind !== 'tool_approval_request') return { status: 422, body: { error: 'not a question' } };
    const values = ['approval_id', 'job_id', 'request_id', 'args_hash', 'tool', 'subject', 'summary'].map((name) => text(request[name]));
    this.database
      .prepare(
        `INSERT INTO approvals (approval_id, job_id, request_id, args_hash, tool, subject, summary, request, deliveries, status)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 'pending') ON CONFLICT (approval_id) DO UPDATE SET deliveries = deliveries + 1`,
      )
      .run([...values, rawBody.toString('utf8')]);
    return { status: 200, body: { ok: true } };
  }

  all(): readonly ApprovalRow[] {
    return this.database.prepare('SELECT * FROM approvals ORDER BY approval_id').all() as ApprovalRow[];
  }

  get(id: number): ApprovalRow | undefined {
    return this.database.prepare('SELECT * FROM approvals WHERE approval_id = ?').get([id]) as ApprovalRow | undefined;
  }

  /** A person decides; the hub is told, signed. The same decision sent twice is one decision, because its id is kept. */
  async decide(id: number, approver: string, decision: 'approved' | 'denied', comment = ''): Promise<DecisionAnswer> {
    const row = this.get(id);
    const hub = this.hub();
    if (!row || !hub) return { ok: false, status: 404, body: { error: 'There is no such approval.' } };
    const may = this.database.prepare('SELECT 1 AS ok FROM permissions WHERE uid = ? AND action = ?').get([approver, NEEDS]);
    if (may === undefined) return { ok: false, status: 403, body: { error: `${approver} may not decide on refunds.` } };
    const decisionId = row.decision_id ?? `orders:${randomUUID()}`;
    this.database.prepare('UPDATE approvals SET decision_id = ? WHERE approval_id = ?').run([decisionId, id]);
    const { body, headers } = signDecision(hub.clientToken, {
      approvalId: id,
      jobId: row.job_id,
      requestId: row.request_id,
      argsHash: row.args_hash,
      decisionId,
      decision,
      approver,
      comment,
    });
    const response = await fetch(`${hub.url}/approvals/${String(id)}/decision`, { method: 'POST', headers, body });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    if (response.ok) {
      this.database
        .prepare('UPDATE approvals SET status = ?, decided_by = ?, decided_at = ? WHERE approval_id = ?')
        .run([decision, approver, new Date().toISOString(), id]);
    }
    return { ok: response.ok, status: response.status, body: answer };
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
