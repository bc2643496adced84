import type { Claim, IdempotencyStore, StoredAnswer } from './idempotency.js';

/** Runs one SQL statement with `?` placeholders and answers its rows (empty for statements without). */
export type SqlQuery = (sql: string, values: readonly (string | number)[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The table, in SQL that SQLite, MySQL and PostgreSQL read alike. Run it once, in a migration. */
export const IDEMPOTENCY_TABLE = `create table bailing_idempotency (
  idem_key char(64) not null primary key,
  content char(64) not null,
  state varchar(16) not null,
  status int not null default 0,
  body text,
  created_at bigint not null
)`;

function claimOf(row: Readonly<Record<string, unknown>> | undefined, content: string): Claim {
  if (row === undefined) return { is: 'running' };
  if (row['content'] !== content) return { is: 'other-content' };
  if (row['state'] === 'answered') return { is: 'answered', answer: { status: Number(row['status']), body: String(row['body']) } };
  return { is: row['state'] === 'unknown' ? 'unknown' : 'running' };
}

/**
 * Keys in a table of your own database, over whichever driver you have. The primary key makes the claim atomic. Hand in a query that runs
 * inside the transaction of the business effect, and claim, effect and answer are committed together.
 */
export class SqlIdempotencyStore implements IdempotencyStore {
  readonly #query: SqlQuery;
  readonly #clock: () => number;

  constructor(query: SqlQuery, options: { clock?: () => number } = {}) {
    this.#query = query;
    this.#clock = options.clock ?? Date.now;
  }

  async claim(key: string, content: string): Promise<Claim> {
    const known = await this.#row(key);
    if (known !== undefined) return claimOf(known, content);
    try {
      const sql = `insert into bailing_idempotency (idem_key, content, state, created_at) values (?, ?, 'running', ?)`;
      await this.#query(sql, [key, content, this.#clock()]);
      return { is: 'new' };
    } catch (error) {
      // Either another call was quicker (then its row is there) or the database is in trouble (then nobody may run the handler).
      const quicker = await this.#row(key);
      if (quicker === undefined) throw error;
      return claimOf(quicker, content);
    }
  }

  async settle(key: string, answer: StoredAnswer): Promise<void> {
    const sql = `update bailing_idempotency set state = 'answered', status = ?, body = ? where idem_key = ? and state = 'running'`;
    await this.#query(sql, [answer.status, answer.body, key]);
  }

  async markUnknown(key: string): Promise<void> {
    await this.#query(`update bailing_idempotency set state = 'unknown' where idem_key = ? and state = 'running'`, [key]);
  }

  async release(key: string): Promise<void> {
    await this.#query(`delete from bailing_idempotency where idem_key = ?`, [key]);
  }

  async #row(key: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await this.#query(`select content, state, status, body from bailing_idempotency where idem_key = ?`, [key]))[0];
  }
}
