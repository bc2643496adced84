import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { InputReading } from '@bailing/plugin-api';
import type { Kind, Parsed } from './parsed.js';
import { Turns } from './turns.js';

export interface ParserLimits {
  readonly cpuSeconds: number;
  readonly heapMb: number;
  readonly wallMs: number;
  readonly atOnce: number;
  readonly maxPages: number;
}

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
/** Beside the heap a process holds code, buffers and what it unpacks; the operating system refuses it more than this, where it can. */
const OVERHEAD_MB = 512;

type Ended = { readonly is: 'out'; readonly text: string } | { readonly is: 'limit' | 'stopped' | 'fault' };

/** Parses documents in processes of their own, a few at once: the rest wait. */
export class Parsers {
  private readonly running = new Set<ChildProcessByStdio<Writable, Readable, null>>();
  private readonly turns: Turns;
  private closed = false;

  constructor(private readonly limits: ParserLimits) {
    this.turns = new Turns(limits.atOnce);
  }

  async parse(kind: Kind, bytes: Uint8Array, maxChars: number, signal: AbortSignal): Promise<InputReading> {
    await this.turns.take(signal);
    try {
      return readingOf(kind, await this.run(kind, bytes, maxChars, signal));
    } finally {
      this.turns.leave();
    }
  }

  /** Ends what runs. */
  close(): void {
    this.closed = true;
    for (const child of this.running) child.kill('SIGKILL');
  }

  private run(kind: Kind, bytes: Uint8Array, maxChars: number, signal: AbortSignal): Promise<Ended> {
    if (this.closed || signal.aborted) return Promise.resolve({ is: 'stopped' });
    const child = this.spawned([kind, String(maxChars), String(this.limits.maxPages)]);
    this.running.add(child);
    const stop = (): boolean => child.kill('SIGKILL');
    const timer = setTimeout(stop, this.limits.wallMs);
    signal.addEventListener('abort', stop, { once: true });
    return new Promise<Ended>((resolve) => {
      collect(child, bytes, maxChars * 8 + 4_096, resolve);
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      this.running.delete(child);
    });
  }

  /** With the limits of the shell where there is one: processor seconds and memory are then kept by the operating system, and the hub goes first from the start. */
  private spawned(args: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
    const { cpuSeconds, heapMb } = this.limits;
    const node = [`--max-old-space-size=${String(heapMb)}`, '--no-warnings', CHILD, ...args];
    const kilobytes = String((heapMb + OVERHEAD_MB) * 1_024);
    const limits = `ulimit -t ${String(cpuSeconds)}; (ulimit -d ${kilobytes}) 2>/dev/null && ulimit -d ${kilobytes}; ulimit -c 0; command -v nice >/dev/null && exec nice -n 19 "$0" "$@"; exec "$0" "$@"`;
    const [command, argv] =
      process.platform === 'win32' ? [process.execPath, node] : ['/bin/sh', ['-c', limits, process.execPath, ...node]];
    return spawn(command, argv, { env: {}, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
  }
}

function collect(
  child: ChildProcessByStdio<Writable, Readable, null>,
  bytes: Uint8Array,
  most: number,
  done: (ended: Ended) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  child.on('error', () => done({ is: 'fault' }));
  child.on('close', (code) => done(code === 0 ? { is: 'out', text: Buffer.concat(chunks).toString() } : { is: 'limit' }));
  // A process that is gone closes its end; that it is gone is told by `close`.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
}

function readingOf(kind: Kind, ended: Ended): InputReading {
  if (ended.is === 'fault') return { is: 'failed', says: 'its reader could not be started.', parser: kind };
  if (ended.is !== 'out') return { is: 'failed', says: 'reading it needs more time or memory than it may have.', parser: kind };
  const parsed = JSON.parse(ended.text) as Parsed;
  if (parsed.is === 'encrypted') return { is: 'failed', says: 'it is encrypted.', parser: kind };
  if (parsed.is === 'damaged') return { is: 'failed', says: 'it is cut off or damaged.', parser: kind };
  const facts = { parser: kind, ...(parsed.pages !== undefined && { pages: parsed.pages }) };
  if (!/[\p{L}\p{N}]/u.test(parsed.text)) return { is: 'nothing', says: 'no text was found in it; it may be a scan.', ...facts };
  return { is: 'text', text: parsed.text, ...facts };
}
