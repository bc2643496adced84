// The parent's side of a benchmark process.
import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply, Usage } from './protocol.js';

export interface Party {
  readonly name: string;
  readonly pid: number;
  /** What the process told when it was ready. */
  readonly told: { readonly url?: string };
  ask<T>(what: string, input?: unknown): Promise<T>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly settings?: object;
  readonly env?: NodeJS.ProcessEnv;
  /** File that takes what the process prints. */
  readonly log: string;
}

const HERE = path.dirname(fileURLToPath(import.meta.url));
const STOP_MS = 15_000;

/** Starts one party in a process of its own and waits until it is ready. @throws Error with the end of its log when it is not */
export async function startParty(name: 'business' | 'proxy' | 'load' | 'hub', options: StartOptions): Promise<Party> {
  const out = fs.openSync(options.log, 'a');
  const child = fork(path.join(HERE, `${name}.js`), [], {
    env: { ...process.env, ...options.env, BAILING_BENCH_PARTY: JSON.stringify(options.settings ?? {}) },
    stdio: ['ignore', out, out, 'ipc'],
    serialization: 'advanced',
    execArgv: [],
  });
  fs.closeSync(out);
  const talk = new Talk(name, child, options.log);
  const told = (await talk.told) as { url?: string };
  return {
    name,
    pid: child.pid ?? 0,
    told,
    ask: <T>(what: string, input?: unknown) => talk.ask(what, input) as Promise<T>,
    usage: () => talk.ask('usage') as Promise<Usage>,
    stop: () => talk.stop(),
  };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class Talk {
  readonly told: Promise<unknown>;
  private readonly ended: Promise<void>;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
    private readonly log: string,
  ) {
    this.told = this.wait(0);
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
    child.on('message', (reply: Reply) => this.settle(reply));
    void this.ended.then(() => this.failAll());
  }

  ask(what: string, input: unknown = null): Promise<unknown> {
    const id = this.next++;
    const reply = this.wait(id);
    this.child.send({ id, ask: what, input });
    return reply;
  }

  /** Asks the process to end, and ends it when it does not. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    if (this.child.connected) this.child.send({ id: this.next++, ask: 'stop', input: null });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private wait(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private settle(reply: Reply): void {
    const found = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('error' in reply) found?.reject(new Error(`${this.name}: ${reply.error}`));
    else found?.resolve(reply.answer);
  }

  private failAll(): void {
    const lines = fs.readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
    for (const { reject } of this.waiting.values()) reject(new Error(`The process ${this.name} ended. Its log ends with:\n${lines}`));
    this.waiting.clear();
  }
}
