import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Ms, Store, StoreHealth } from '@bailing/engine/ports';
import type { Database, OnStatement, OpenReader } from './dialects/dialect.js';
import { openMysql, openMysqlReader } from './dialects/mysql.js';
import { openSqlite, openSqliteReader } from './dialects/sqlite.js';
import { parseStoreUrl } from './dialects/url.js';
import type { BatchContext, Failpoint } from './lane/batch.js';
import { Lane, type OnCommit } from './lane/lane.js';
import { Lanes } from './lane/lanes.js';
import { lockInOrder } from './lane/lock-buckets.js';
import { Chain } from './ledger/chain.js';
import { ping } from './statements/health.js';
import { census } from './stores/census.js';
import { SqlApprovalStore } from './stores/approvals.js';
import { SqlCallStore } from './stores/calls.js';
import { EvidenceCount, type House } from './stores/house.js';
import { SqlConversationStore } from './stores/conversations.js';
import { SqlDutyStore } from './stores/duties.js';
import { SqlJobStore } from './stores/jobs.js';
import { SqlObjectStore } from './stores/objects.js';
import { SqlOutbox } from './stores/outbox.js';
import { SqlRateStore } from './stores/rates.js';
import { SqlReconcileStore } from './stores/reconcile.js';
import { SqlRecords } from './stores/records.js';
import { SqlRetentionStore } from './stores/retention.js';
import { SqlRevisionStore } from './stores/revisions.js';
import { SqlSpecStore } from './stores/specs.js';
import { SqlStopStore } from './stores/stops.js';
import { Streaks } from './stores/streaks.js';
import { Sweeper } from './stores/sweeper.js';
import { Trouble } from './stores/trouble.js';
import { holdDutyFor } from './units/hold-duty.js';
import { closeChain } from './units/housekeeping.js';

export interface StoreOptions {
  /** `sqlite:./path/hub.db` (makes the folder), `sqlite::memory:` or `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Names this process among those that share the database. */
  readonly replica: string;
  readonly clock?: Clock;
  /** Instead of a clock. */
  readonly now?: () => Ms;
  /** Writing connections on MySQL; SQLite has one writer. Default 4. */
  readonly lanes?: number;
  /** Called at the places that `failpoints` lists, and at `migrate:after-<name>` between a migration and its mark; crash tests end the process there. */
  readonly failpoint?: Failpoint;
  /** Called with the name of each statement carried out. */
  readonly onStatement?: OnStatement;
  /** Called after each commit with the names of the units it carried. */
  readonly onCommit?: OnCommit;
}

const LANES = 4;
/** A database that takes longer to say anything is not healthy. */
const HEALTH_MS = 2_000;

/** Opens and migrates a store. Throws BAILING_CONFIG_INVALID, BAILING_STORE_UNREACHABLE, BAILING_STORE_BUSY or BAILING_STORE_TOO_NEW. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = await openDatabase(options);
  const now = options.now ?? (() => (options.clock ?? { now: Date.now }).now());
  const chains: Chain[] = [];
  const trouble = new Trouble();
  const boot = randomUUID();
  const lanes = new Lanes(
    database.writers.map((connection, index) => {
      const chain = new Chain(`${options.replica}:${boot}:${String(index)}`);
      chains.push(chain);
      return new Lane({
        connection,
        context: contextOf(database, chain, now, options.failpoint),
        onCommit: (units) => {
          trouble.worked();
          options.onCommit?.(units);
        },
        onFault: (error) => trouble.failed(error, now()),
        inKeyOrder: database.dialect === 'mysql',
      });
    }),
  );
  const sweeper = new Sweeper(lanes, database.reader, now);
  sweeper.start();
  const house: House = { lanes, reader: database.reader, now, streaks: new Streaks(), evidence: new EvidenceCount(), trouble };
  return assembled(house, database, chains, options.replica, sweeper);
}

/** What `openStore` knows of its own stores and nobody else needs: the ledger is read through it. */
const readers = new WeakMap<Store, Database['reader']>();

export function readerOf(store: Store): Database['reader'] | undefined {
  return readers.get(store);
}

type Opening = Pick<StoreOptions, 'url' | 'lanes' | 'onStatement' | 'failpoint'>;

export function openDatabase({ url, lanes, onStatement, failpoint }: Opening): Promise<Database> {
  const parsed = parseStoreUrl(url);
  return parsed.is === 'sqlite'
    ? openSqlite(parsed.file, onStatement, failpoint)
    : openMysql(parsed.uri, lanes ?? LANES, onStatement, failpoint);
}

/** What is there, as it is: for whoever only looks. @throws BailingError BAILING_STORE_UNREACHABLE */
export async function openForReading(url: string): Promise<OpenReader> {
  const parsed = parseStoreUrl(url);
  return parsed.is === 'sqlite' ? openSqliteReader(parsed.file) : openMysqlReader(parsed.uri);
}

function contextOf(database: Database, chain: Chain, now: () => Ms, failpoint: Failpoint | undefined): BatchContext {
  const lockHot = database.dialect === 'mysql' ? lockInOrder : undefined;
  return { chain, now, failpoint, lockHot, committing: false };
}

function assembled(house: House, database: Database, chains: readonly Chain[], replica: string, sweeper: Sweeper): Store {
  let closing: Promise<void> | undefined;
  const store: Store = {
    calls: new SqlCallStore(house),
    approvals: new SqlApprovalStore(house),
    jobs: new SqlJobStore(house),
    conversations: new SqlConversationStore(house),
    specs: new SqlSpecStore(house),
    revisions: new SqlRevisionStore(house),
    stops: new SqlStopStore(house),
    rates: new SqlRateStore(house),
    outbox: new SqlOutbox(house),
    reconcile: new SqlReconcileStore(house),
    duties: new SqlDutyStore(house, replica),
    retention: new SqlRetentionStore(house),
    objects: new SqlObjectStore(house),
    records: (plugin) => new SqlRecords(house, plugin),
    health: () => healthOf(house, database),
    census: () => census(house),
    close: () => (closing ??= close(house, sweeper, database, chains)),
  };
  readers.set(store, database.reader);
  return store;
}

async function healthOf({ reader, evidence, trouble, lanes, now }: House, { dialect, migrations }: Database): Promise<StoreHealth> {
  const asked = reader.read(ping, []).then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([asked, sleep(HEALTH_MS, false, { ref: false })]);
  const full = answers ? await trouble.why(now(), () => lanes.submit(holdDutyFor('room', 'health', 1))) : undefined;
  const reason = answers ? full : 'unreachable';
  const { applied, total, latest } = migrations;
  const pending = total - applied;
  return {
    dialect,
    database: reason === undefined ? 'ok' : 'failed',
    ...(reason && { reason }),
    migrations: { status: pending === 0 ? 'ok' : 'pending', pending, latest, total },
    auditFailures: evidence.failures,
    lastAuditFailureAt: evidence.lastAt,
  };
}

/** A closing checkpoint that cannot be written does not keep the store open. */
async function close({ lanes }: House, sweeper: Sweeper, database: Database, chains: readonly Chain[]): Promise<void> {
  sweeper.stop();
  try {
    await lanes.close((lane) => (chains[lane]?.begun ? closeChain(lane) : null));
  } catch {
    // The chain simply has no closing line; the next start names its head.
  } finally {
    await database.close();
  }
}
