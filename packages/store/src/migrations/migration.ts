/**
 * One step forward, one DDL statement. `null` where a dialect needs no such step (SQLite builds its indexes apart, MySQL inside the table).
 * Every statement can run twice: MySQL commits a DDL before its mark is written, and a process may die between the two.
 */
export interface Migration {
  readonly name: string;
  readonly sqlite: string | null;
  readonly mysql: string | null;
}

/** Stands in MySQL texts for the server's byte-exact collation without padding (its name differs between MySQL and MariaDB). */
export const EXACT = '{exact}';

/** Ends every MySQL table. */
export const TABLE = `ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${EXACT} ROW_FORMAT=DYNAMIC`;

/** What the key columns hold, in characters. Doors check against these, so that a name too long is a 400 with its field. */
export const columnLimits = Object.freeze({
  jobId: 64,
  requestId: 191,
  owner: 191,
  route: 191,
  target: 191,
  source: 64,
  principal: 191,
  sessionId: 191,
  tool: 191,
  provider: 191,
  scope: 191,
  subject: 191,
  replica: 191,
  executor: 191,
  hash: 64,
  fingerprint: 128,
  bucket: 255,
  stop: 255,
  plugin: 128,
  recordKey: 255,
  recordTag: 191,
  title: 128,
  summary: 512,
  reason: 500,
});
