import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { hubProgram } from './hub-bundle.js';

export interface HubProcess {
  readonly url: string;
  readonly pid: number;
  /** Everything the process printed, for tests that look for secrets. */
  output(): string;
  /** Signal that ended it, or null when it exited by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal that does not end it. */
  send(signal: NodeJS.Signals): void;
  /** Whether it is stopped, by itself or by somebody else. */
  stopped(): boolean;
}

export interface HubSettings {
  readonly configFile: string;
  readonly failpoint?: string;
  readonly nth?: number;
  /** What the process sends itself at its failpoint; SIGKILL where absent. */
  readonly signal?: NodeJS.Signals;
  readonly lean?: boolean;
  /** Told the process id at once: one that stops before it listens has no other way to be known. */
  readonly started?: (pid: number) => void;
  /** How often it looks whether a round of retention is due. */
  readonly retentionMs?: number;
}

/**
 * Starts a hub in a child process and waits until it listens. A process that is killed while starting resolves with `null`.
 * @throws where it ends by itself
 */
export async function startHubProcess(settings: HubSettings): Promise<HubProcess | null> {
  const child = spawn(process.execPath, [...(await hubProgram())], {
    env: { ...process.env, BAILING_TEST_HUB: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  settings.started?.(child.pid ?? 0);
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const url = await listening(child, (text) => (printed += text), ended);
  if (url === null) {
    if ((await ended) === null) throw new Error(`the hub did not start: ${printed}`);
    return null;
  }
  return {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    ended,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await ended;
    },
    send: (signal) => void child.kill(signal),
    stopped: () => stateOf(child.pid ?? 0) === 'T',
  };
}

/** The state letter of a process, where the system tells it. */
function stateOf(pid: number): string | undefined {
  try {
    return /\) (\w)/.exec(fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

async function listening(child: ChildProcess, note: (text: string) => void, ended: Promise<unknown>): Promise<string | null> {
  let text = '';
  const said = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      note(chunk.toString());
      text += chunk.toString();
      const found = /^listening (\S+)$/m.exec(text);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
  });
  return Promise.race([said, ended.then(() => null)]);
}
