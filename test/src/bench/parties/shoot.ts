import type { Dispatcher, Pool } from 'undici';
import type { Shot } from '../traffic.js';

export interface Shown {
  /** 0 when no answer came; `body` says why. */
  readonly status: number;
  readonly body: string;
}

/** One request the cheapest way undici has, so that the generator costs little beside what it measures. Never rejects. */
export function shoot(pool: Pool, { method, path, headers, body }: Shot): Promise<Shown> {
  return new Promise((resolve) => {
    pool.dispatch({ method, path, headers: headers as string[], body }, new Handler(resolve));
  });
}

class Handler implements Dispatcher.DispatchHandler {
  private status = 0;
  private readonly chunks: Buffer[] = [];

  constructor(private readonly resolve: (shown: Shown) => void) {}

  onRequestStart(): void {
    // Nothing to keep: a call is never aborted.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.resolve({ status: this.status, body: Buffer.concat(this.chunks).toString() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.resolve({ status: 0, body: error.message });
  }
}
