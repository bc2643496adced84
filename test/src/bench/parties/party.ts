// The child's side of a benchmark process: settings from the environment, questions over IPC.
import fs from 'node:fs';
import type { Question, Reply, Usage } from './protocol.js';

type Command = (input: never) => unknown;

/** What the parent handed over when it started this process. */
export function settings<T>(): T {
  return JSON.parse(process.env.BAILING_BENCH_PARTY ?? '{}') as T;
}

/** Answers the parent's questions until it says `stop` or goes away. */
export function answer(commands: Readonly<Record<string, Command>>, stop: () => Promise<void> | void): void {
  const all: Readonly<Record<string, Command>> = { usage, 'reset-peak': resetPeak, peak: peakRss, ...commands };
  const leave = async (): Promise<void> => {
    await stop();
    process.disconnect();
    process.exit(0);
  };
  process.on('message', (question: Question) => {
    void reply(question, question.ask === 'stop' ? leave : all[question.ask]);
  });
  process.once('disconnect', () => process.exit(0));
}

/** Tells the parent that this process is ready. */
export function ready(told: object = {}): void {
  process.send?.({ id: 0, answer: told } satisfies Reply);
}

async function reply({ id, ask, input }: Question, command: Command | undefined): Promise<void> {
  try {
    if (!command) throw new Error(`this process does not know ${ask}`);
    process.send?.({ id, answer: await command(input as never) } satisfies Reply);
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies Reply);
  }
}

/** CPU of all threads of this process. */
function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() };
}

/** Starts a new high-water mark of memory. Answers whether the system can. */
function resetPeak(): boolean {
  try {
    fs.writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false;
  }
}

/** The high-water mark of resident memory since `reset-peak`, bytes. Null where the system does not tell. */
function peakRss(): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1];
    return found === undefined ? null : Number(found) * 1024;
  } catch {
    return null;
  }
}
