import type { GateResult } from '@bailing/verifier';
import type { OrdersDatabase } from './database.js';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Refund {
  readonly id: number;
  readonly order_no: string;
  readonly amount_cents: number;
  readonly reason: string;
  readonly status: string;
  readonly requested_by: string;
  readonly job_id: string;
  readonly created_at: string;
}

/** What the two refund endpoints do. Each runs at most once per idempotency key: key, content and effect share one transaction. */
export class Refunds {
  constructor(private readonly database: OrdersDatabase) {}

  request(call: GateResult): Answer {
    return this.once(call, () => {
      const wrong = this.check(call);
      if (wrong) return wrong;
      const id = this.insert(call, 'pending_approval');
      return {
        status: 200,
        body: {
          ok: true,
          status: 'pending_approval',
          message: `Refund request ${id} was submitted and waits for finance.`,
          business_id: id,
        },
      };
    });
  }

  execute(call: GateResult): Answer {
    return this.once(call, () => {
      const wrong = this.check(call);
      if (wrong) return wrong;
      const id = this.insert(call, 'paid_out');
      return { status: 200, body: { ok: true, status: 'paid_out', message: `Refund ${id} was paid out.`, business_id: id } };
    });
  }

  /** Whether a write with this key was handled, and how: what the hub asks when an answer got lost. */
  lookup(key: string): Answer {
    const known = this.database.prepare('SELECT status, body FROM handled_calls WHERE idempotency_key = ?').get([key]) as
      { status: number; body: string } | undefined;
    return {
      status: 200,
      body: known ? { found: true, status: known.status, answer: JSON.parse(known.body) as unknown } : { found: false },
    };
  }

  all(): readonly Refund[] {
    return this.database.prepare('SELECT * FROM refund_requests ORDER BY id').all() as Refund[];
  }

  /** The parameters are checked again here: an authenticated caller is not a reason to trust an amount. */
  private check(call: GateResult): Answer | null {
    const { order_no: orderNo, amount, reason } = call.params;
    const order = this.database.prepare('SELECT total_cents FROM orders WHERE order_no = ?').get([String(orderNo)]) as
      { total_cents: number } | undefined;
    if (!order) return refuse(404, `There is no order ${JSON.stringify(String(orderNo).slice(0, 40))}.`);
    if (typeof amount !== 'number' || !(amount > 0) || !Number.isInteger(Math.round(amount * 1e6) / 1e4))
      return refuse(422, 'The amount must be positive, in whole cents.');
    if (Math.round(amount * 100) > order.total_cents) return refuse(422, 'The amount is larger than the order.');
    if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 500)
      return refuse(422, 'A reason of 1 to 500 characters is needed.');
    return null;
  }

  private insert(call: GateResult, status: string): string {
    const { order_no: orderNo, amount, reason } = call.params;
    const values = [
      String(orderNo),
      Math.round(Number(amount) * 100),
      String(reason),
      status,
      call.operator,
      call.jobId,
      new Date().toISOString(),
    ];
    const inserted = this.database
      .prepare(
        'INSERT INTO refund_requests (order_no, amount_cents, reason, status, requested_by, job_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(values);
    return `RF-${String(inserted.lastInsertRowid)}`;
  }

  private once(call: GateResult, handle: () => Answer): Answer {
    if (call.idempotencyKey === '') return refuse(400, 'A write needs the header X-Bailing-Idempotency-Key.');
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const known = this.database
        .prepare('SELECT content_hash, status, body FROM handled_calls WHERE idempotency_key = ?')
        .get([call.idempotencyKey]) as { content_hash: string; status: number; body: string } | undefined;
      if (known && known.content_hash !== call.contentHash) return refuse(422, 'This idempotency key was used for another call.');
      const answer = known ? { status: known.status, body: JSON.parse(known.body) as Answer['body'] } : handle();
      if (!known) {
        this.database
          .prepare('INSERT INTO handled_calls (idempotency_key, content_hash, status, body, handled_at) VALUES (?, ?, ?, ?, ?)')
          .run([call.idempotencyKey, call.contentHash, answer.status, JSON.stringify(answer.body), new Date().toISOString()]);
      }
      this.database.exec('COMMIT');
      return answer;
    } finally {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
    }
  }
}

function refuse(status: number, message: string): Answer {
  return { status, body: { ok: false, error: message } };
}
