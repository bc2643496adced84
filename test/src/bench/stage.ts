// The processes of one run and the folder they work in.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Doors } from './doors.js';
import { hubConfig, SECRET, type BenchRoute } from './hub-config.js';
import { startParty, type Party } from './parties/start.js';
import { Range, type Way } from './window.js';

export interface BenchHub {
  readonly party: Party;
  readonly doors: Doors;
  /** The way of a call through this hub, by one of its routes. */
  way(name: string, route: string): Way;
  stop(): Promise<void>;
}

export interface HubOptions {
  readonly name: string;
  readonly database: string;
  readonly routes: readonly BenchRoute[];
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the CPU of a database server beside it is told as well. */
  readonly databaseServer?: boolean;
}

/** Two tools: the read and the write. */
export const SMALL: BenchRoute = { name: 'two-tools', document: '2' };

export class Stage {
  private readonly started: { stop(): Promise<void> }[] = [];

  private constructor(
    readonly folder: string,
    readonly business: Party,
    private readonly load: Party,
    readonly range: Range,
    readonly direct: Way,
    readonly proxy: Way,
  ) {}

  /** Starts business, load generator and proxy, each in a process of its own. */
  static async open(): Promise<Stage> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-bench-'));
    const log = path.join(folder, 'parties.log');
    const started: Party[] = [];
    try {
      const business = await startParty('business', { settings: { secret: SECRET }, log });
      started.push(business);
      const url = urlOf(business);
      const load = await startParty('load', { settings: { secret: SECRET }, log });
      started.push(load);
      const proxy = await startParty('proxy', { settings: { secret: SECRET, business: url }, log });
      started.push(proxy);
      const stage = new Stage(folder, business, load, new Range(load, business), directWay(url), proxyWay(proxy));
      stage.started.push(...started);
      return stage;
    } catch (error) {
      await Promise.all(started.map((party) => party.stop()));
      throw error;
    }
  }

  /** Ends the load generator, so that whatever is measured fails and the run tidies up on its way out. */
  interrupt(): void {
    void this.load.stop();
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  async hub(options: HubOptions): Promise<BenchHub> {
    const configFile = this.file(`${options.name}.yaml`);
    fs.writeFileSync(configFile, hubConfig({ ...options, business: urlOf(this.business) }));
    const log = this.file(`${options.name}.log`);
    const party = await startParty('hub', { settings: { configFile }, log, ...(options.env && { env: options.env }) });
    const doors = new Doors(urlOf(party));
    const databaseServer = options.databaseServer ?? false;
    const hub: BenchHub = {
      party,
      doors,
      way: (name, route) => ({
        name,
        url: urlOf(party),
        between: [party],
        hub: party,
        databaseServer,
        doors: (calls) => doors.open(route, calls),
        after: () => doors.finish(),
      }),
      stop: async () => {
        await doors.close();
        await party.stop();
      },
    };
    this.started.push(hub);
    return hub;
  }

  /** A hub with a configuration of its own; the caller stops it. */
  async plainHub(name: string, config: (business: string) => string): Promise<Party> {
    const configFile = this.file(`${name}-jobs.yaml`);
    fs.writeFileSync(configFile, config(urlOf(this.business)));
    const party = await startParty('hub', { settings: { configFile }, log: this.file(`${name}-jobs.log`) });
    this.started.push(party);
    return party;
  }

  async close(): Promise<void> {
    for (const one of this.started.reverse()) await one.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function urlOf(party: Party): string {
  if (party.told.url === undefined) throw new Error(`${party.name} told no address`);
  return party.told.url;
}

function directWay(url: string): Way {
  return { name: 'direct', url, between: [], doors: () => Promise.resolve([]) };
}

/** The proxy looks at no job and no token, but gets both, as the hub does. */
function proxyWay(proxy: Party): Way {
  const door = { path: '/jobs/11111111-2222-4333-8444-555555555555/tools/invoke', token: '0'.repeat(64) };
  return { name: 'proxy', url: urlOf(proxy), between: [proxy], doors: () => Promise.resolve([door]) };
}
