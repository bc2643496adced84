import Database from 'libsql';

/** The service's own tables. Money is whole minor units of one currency; times are ISO-8601. */
const TABLES = `
CREATE TABLE IF NOT EXISTS users (uid TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS permissions (uid TEXT NOT NULL, action TEXT NOT NULL, PRIMARY KEY (uid, action));
CREATE TABLE IF NOT EXISTS orders (order_no TEXT PRIMARY KEY, customer TEXT NOT NULL, status TEXT NOT NULL, total_cents INTEGER NOT NULL, items TEXT NOT NULL, placed_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS refund_requests (id INTEGER PRIMARY KEY AUTOINCREMENT, order_no TEXT NOT NULL REFERENCES orders, amount_cents INTEGER NOT NULL, reason TEXT NOT NULL, status TEXT NOT NULL, requested_by TEXT NOT NULL, job_id TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS handled_calls (idempotency_key TEXT PRIMARY KEY, content_hash TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, handled_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS approvals (approval_id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, request_id TEXT NOT NULL, args_hash TEXT NOT NULL, tool TEXT NOT NULL, subject TEXT NOT NULL, summary TEXT NOT NULL, request TEXT NOT NULL, deliveries INTEGER NOT NULL, status TEXT NOT NULL, decision_id TEXT, decided_by TEXT, decided_at TEXT);
`;

export type OrdersDatabase = InstanceType<typeof Database>;

/** Opens (and on first use seeds) the service's SQLite file; `:memory:` keeps nothing. */
export function openDatabase(file: string): OrdersDatabase {
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(TABLES);
  const { n } = database.prepare('SELECT count(*) AS n FROM users').get() as { n: number };
  if (n === 0) seed(database);
  return database;
}

function seed(database: OrdersDatabase): void {
  const user = database.prepare('INSERT INTO users (uid, name) VALUES (?, ?)');
  for (const row of [
    ['u-ada', 'Ada, customer care'],
    ['u-ben', 'Ben, reads only'],
    ['u-cleo', 'Cleo, finance'],
  ])
    user.run(row);
  const may = database.prepare('INSERT INTO permissions (uid, action) VALUES (?, ?)');
  for (const row of [
    ['u-ada', 'order.read'],
    ['u-ada', 'refund.request'],
    ['u-ben', 'order.read'],
    ['u-cleo', 'order.read'],
    ['u-cleo', 'refund.request'],
    ['u-cleo', 'refund.execute'],
    ['u-cleo', 'refund.approve'],
  ])
    may.run(row);
  const order = database.prepare(
    'INSERT INTO orders (order_no, customer, status, total_cents, items, placed_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const row of [
    ['A-1001', 'Grace Hopper', 'delivered', 48_900, 'desk lamp, 2 bulbs', '2026-10-02T09:12:00Z'],
    ['A-1002', 'Alan Turing', 'delivered', 640_000, 'standing desk, chair', '2026-10-11T15:40:00Z'],
    ['A-1003', '李雷', 'shipped', 12_900, '台灯', '2026-11-20T02:05:00Z'],
  ])
    order.run(row);
}
