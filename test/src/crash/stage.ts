import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHub, type Hub } from '@bailing/hub';
import type { Log } from '@bailing/plugin-api';
import type { DatabaseFixture, FreshDatabase } from '@bailing/store/testing';
import { startCountingBusiness, type Arrival, type CountingBusiness, type Reaction } from '../support/counting-business.js';
import type { Answer } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { LEAN } from '../support/lean-kit.js';
import { readShop, writeShop } from '../support/shop.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { CLIENT_TOKEN, SECRET } from '../support/world.js';
import type { Edge } from './edges.js';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** How long a whole edge may take. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 100;
/** Leases of a hub that will be killed: long, so that a busy machine loses none by itself. The next hub's clock is ahead of their end. */
const LEASE_MS = 10_000;
/** Where it is time itself that must pass: longer than a call may take, and no renewal is under way when the process stops. */
const SLEEP_MS = 5_000;

/**
 * One database, one business, a hub process that will come to harm (the victim) and, where it dies or sleeps, a second hub on the same
 * database that goes on (the rescue), in this process.
 */
export class Stage {
  readonly dialect: DatabaseFixture['name'];
  database!: FreshDatabase;
  business!: CountingBusiness;
  proxy: TcpProxy | undefined;
  victim: HubProcess | null = null;
  /** Resolves when nobody may expect an answer of the victim any more. */
  readonly gone: Promise<void>;
  /** Whether the edge was reached: the victim died or stopped where it was told to. */
  reached = false;
  asleep = false;
  /** What still goes on when the job has ended. */
  readonly afterwards: Promise<void>[] = [];
  leave!: () => void;
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-crash-'));
  private readonly until = Date.now() + PATIENCE_MS;
  private url = '';
  private rescuing: Promise<void> | undefined;
  private rescueHub: Hub | undefined;

  constructor(
    readonly edge: Edge,
    private readonly fixture: DatabaseFixture,
  ) {
    this.dialect = fixture.name;
    this.gone = new Promise((resolve) => (this.leave = resolve));
  }

  async set(react: (arrival: Arrival, nth: number) => Reaction | Promise<Reaction>): Promise<void> {
    this.database = await this.fixture.create();
    this.business = await startCountingBusiness({ secret: SECRET, react });
    if (this.edge.act.is === 'lose-database' && this.dialect === 'mysql') this.proxy = await startTcpProxy(serverOf(this.database.url));
    await this.edge.story.before?.(this);
  }

  /** The database as the victim reaches it. */
  get way(): string {
    if (!this.proxy) return this.database.url;
    const url = new URL(this.database.url);
    url.port = String(this.proxy.port);
    url.hostname = '127.0.0.1';
    return url.href;
  }

  async startVictim(at: { failpoint?: string; nth?: number; signal?: NodeJS.Signals }): Promise<void> {
    const { act, story } = this.edge;
    const leaseMs = this.ahead > 0 ? LEASE_MS : act.is === 'sleep' ? SLEEP_MS : 1_000;
    const configFile = writeShop(this.folder, { leaseMs, ...story.shop, database: this.way, url: this.business.url });
    this.victim = await startHubProcess({ configFile, lean: true, ...at });
    if (!this.victim) return void this.died();
    this.url = this.victim.url;
    void this.victim.ended.then(() => this.died());
  }

  /** How far the next hub's clock is ahead of the victim's. What was about to be sent must be late by the victim's own clock. */
  private get ahead(): number {
    const { act, story } = this.edge;
    const waits = act.is === 'lose-database' || act.is === 'nothing' || (act.is === 'sleep' && act.at === 'intend-write:after-commit');
    return story.aheadMs ?? (waits ? 0 : LEASE_MS + 1_000);
  }

  private died(): void {
    this.reached = true;
    this.leave();
  }

  /** Asks whichever hub is there. A dead one is waited for, once: the next hub gets the same question, as a client would repeat it. */
  async ask(method: string, at: string, body?: unknown, token: string | null = CLIENT_TOKEN): Promise<Answer> {
    for (;;) {
      const answer = await this.tryAsk(method, at, body, token);
      if (answer && answer.status < 500) return answer;
      this.hurry(`no answer to ${method} ${at}: ${JSON.stringify(answer)}`);
      if (await this.isGone()) await this.rescue();
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** One attempt; null where the hub is gone. */
  async tryAsk(method: string, at: string, body?: unknown, token: string | null = CLIENT_TOKEN): Promise<Answer | null> {
    const abort = new AbortController();
    const asked = this.url;
    if (asked === '') return null;
    if (asked === this.victim?.url) void this.gone.then(() => abort.abort());
    try {
      const response = await fetch(asked + at, {
        method,
        signal: abort.signal,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    } catch {
      return null;
    }
  }

  /** @throws when the edge takes too long */
  hurry(what: string): void {
    if (Date.now() > this.until) throw new Error(`not in time: ${what}`);
  }

  async isGone(): Promise<boolean> {
    return Promise.race([this.gone.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20))]);
  }

  /** Starts the next hub on what the victim left behind. */
  rescue(): Promise<void> {
    return (this.rescuing ??= this.startRescue());
  }

  private async startRescue(): Promise<void> {
    const { story } = this.edge;
    await story.between?.(this);
    const config = readShop({ ...story.shop, database: this.database.url, url: this.business.url, leaseMs: LEASE_MS });
    const { ahead } = this;
    const clock = { now: () => Date.now() + ahead };
    this.rescueHub = createHub({ config, plugins: LEAN, log: SILENT, clock, env: {} });
    this.url = (await this.rescueHub.start()).url;
  }

  async strike(): Promise<void> {
    await this.victim?.kill();
    await this.rescueHub?.stop();
    await this.proxy?.close();
    await this.business.close();
    await this.database.drop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function serverOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || '3306') };
}
