import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ask, eventsOf, waitForEnd, type Event } from './http.js';
import { startHub } from './hub.js';
import { startHubProcess } from './hub-process.js';
import { startAi, startMedia, type AiAnswer, type AiMessage, type AiRequest, type AiServer, type MediaServer } from './ai-server.js';
import { EXECUTOR_TOKEN } from './shop.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from './world.js';

export const BRAIN_KEY = 'key-of-the-brain-0001';
export const SIDE_KEY = 'key-of-the-side-model-0001';

export interface InputWorldOptions {
  /** `target_config.input` per route key. */
  readonly routes: Readonly<Record<string, object | undefined>>;
  readonly media: Readonly<Record<string, Buffer | string>>;
  /** What the brain says; plain words where absent. */
  readonly brain?: (request: AiRequest, nth: number) => AiAnswer | Promise<AiAnswer>;
  /** The model beside the brain: vision, speech, summaries. */
  readonly side?: (request: AiRequest, nth: number) => AiAnswer | Promise<AiAnswer>;
  /** Routes that executors work on. */
  readonly handedOut?: readonly string[];
  /** Routes that `route: auto` finds by a keyword, with recordings written down. */
  readonly autoRoutes?: Readonly<Record<string, string>>;
  /** A process of its own for the hub, for tests that measure it. */
  readonly apart?: boolean;
  /** Private hosts beside the place with the files. */
  readonly alsoPrivate?: readonly string[];
  /** More members of `hub`. */
  readonly hub?: object;
  /** More top-level configuration. */
  readonly more?: object;
  /** More members of a route, by its key. */
  readonly perRoute?: Readonly<Record<string, object>>;
  /** More members of each route. */
  readonly route?: object;
}

export interface InputWorld {
  readonly folder: string;
  readonly media: MediaServer;
  readonly brain: AiServer;
  readonly side: AiServer;
  readonly hub: Pick<Started, 'url' | 'pid'>;
  /** Runs one job to its end. */
  run(
    route: string,
    input: string,
    withinMs?: number,
  ): Promise<{ readonly job: Record<string, unknown>; readonly text: string; readonly events: readonly Event[] }>;
  /** Submits a job and claims it as an executor does. */
  work(route: string, input: string): Promise<Record<string, unknown>>;
  /** The user's message of the brain's last request, as text. */
  lastUser(): string;
  lastSystem(): string;
  /** Ends a hub in a process of its own, at once, and starts another on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A hub with a brain, a second model beside it and a place with files, all on loopback; nothing but the files' place may be private. */
export async function makeInputWorld(options: InputWorldOptions): Promise<InputWorld> {
  const media = await startMedia(options.media);
  const brain = await startAi(options.brain ?? (() => 'All right.'));
  const side = await startAi(options.side ?? (() => 'a side answer'));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-inputs-'));
  const configFile = path.join(folder, 'bailing.yaml');
  fs.writeFileSync(configFile, JSON.stringify(configOf(folder, media, brain, side, options)));
  const start = () => (options.apart ? startApart(configFile) : startHere(configFile));
  let hub = await start().catch(async (error: unknown) => {
    for (const one of [media, brain, side]) await one.close();
    throw error;
  });
  let jobs = 0;
  const last = (role: string) => textOf(brain.asked.at(-1)?.body.messages?.find((message) => message.role === role));
  return {
    ...{ folder, media, brain, side },
    get hub() {
      return hub;
    },
    run: async (route, input, withinMs) => {
      const { body } = await ask(hub.url, 'POST', '/run', { request_id: `i:${String(++jobs)}`, route, input });
      const job = await waitForEnd(hub.url, String(body.job_id), withinMs);
      const { text = '' } = (job.result ?? {}) as { text?: string };
      return { job, text, events: await eventsOf(hub.url, String(body.job_id)) };
    },
    work: async (route, input) => {
      await ask(hub.url, 'POST', '/run', { request_id: `i:${String(++jobs)}`, route, input });
      const claim = { executor_id: 'w', targets: ['my-agent'], wait_ms: 10_000 };
      return (await ask(hub.url, 'POST', '/executor/claim', claim, EXECUTOR_TOKEN)).body.job as Record<string, unknown>;
    },
    lastUser: () => last('user'),
    lastSystem: () => last('system'),
    restart: async () => {
      await hub.kill?.();
      hub = await start();
    },
    close: async () => {
      await hub.stop();
      for (const one of [media, brain, side]) await one.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly url: string;
  readonly pid?: number;
  stop(): Promise<void>;
  kill?(): Promise<void>;
}

async function startHere(configFile: string): Promise<Started> {
  const { url, hub } = await startHub({ configFile });
  return { url, stop: () => hub.stop() };
}

async function startApart(configFile: string): Promise<Started> {
  const child = await startHubProcess({ configFile });
  if (!child) throw new Error('the hub did not start');
  return { url: child.url, pid: child.pid, stop: () => child.kill('SIGTERM'), kill: () => child.kill() };
}

function textOf(message: AiMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return (message?.content ?? []).map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}

function configOf(folder: string, media: MediaServer, brain: AiServer, side: AiServer, options: InputWorldOptions): object {
  const keys = Object.keys(options.routes);
  const auto = Object.entries(options.autoRoutes ?? {});
  return {
    hub: {
      port: 0,
      token: SERVER_TOKEN,
      database: `sqlite:${path.join(folder, 'hub.db')}`,
      allow_private_hosts: [media.host, ...(options.alsoPrivate ?? [])],
      ...options.hub,
    },
    clients: [{ app_id: 'desk', token: CLIENT_TOKEN, allowed_routes: ['*'], rate_limit_per_min: 0 }],
    credentials: [
      { name: 'brain', base_url: brain.url, api_key: BRAIN_KEY, default_model: 'brain-model' },
      { name: 'side', base_url: side.url, api_key: SIDE_KEY, default_model: 'side-model' },
      { name: 'bare', base_url: side.url, api_key: SIDE_KEY },
      { name: 'nowhere', provider: 'rules', default_model: 'side-model' },
      { name: 'off', base_url: side.url, api_key: SIDE_KEY, default_model: 'off-model', enabled: false },
    ],
    routes: [
      ...auto.map(([route_key, keyword]) => ({
        route_key,
        target_config: { credential: 'brain', input: { audio: { credential: 'side' } } },
        audience: { enabled: false, keywords: [keyword] },
      })),
      ...keys.map((route_key) => ({
        route_key,
        target_config: { credential: 'brain', ...(options.routes[route_key] && { input: options.routes[route_key] }) },
        ...(options.handedOut?.includes(route_key) && { target: 'my-agent' }),
        ...options.route,
        ...options.perRoute?.[route_key],
      })),
    ],
    targets: [{ name: 'my-agent' }],
    executor_tokens: [{ name: 'workers', token: EXECUTOR_TOKEN, allowed_targets: ['my-agent'] }],
    ...options.more,
  };
}
