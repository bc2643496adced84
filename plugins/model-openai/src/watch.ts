import { ModelFailure } from '@bailing/plugin-api';

type Why = 'total' | 'idle' | 'caller' | 'closed';

/**
 * The clock of one answer. The SDK's own time limit ends with the response headers, so the whole answer and the silence between two
 * pieces are timed here. Tripping aborts the request and cancels whoever reads the body.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #idle: NodeJS.Timeout | undefined;
  #why: Why | undefined;

  constructor(
    caller: AbortSignal,
    readonly totalMs: number,
    readonly idleMs: number,
  ) {
    this.#total = setTimeout(() => this.#trip('total'), totalMs);
    const listener = (): void => this.#trip('caller');
    caller.addEventListener('abort', listener, { once: true });
    this.#unlisten = () => caller.removeEventListener('abort', listener);
    if (caller.aborted) this.#trip('caller');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stoppedByCaller(): boolean {
    return this.#why === 'caller';
  }

  /** Something arrived: the silence begins anew. */
  touch(ms: number = this.idleMs): void {
    clearTimeout(this.#idle);
    if (this.#why === undefined) this.#idle = setTimeout(() => this.#trip('idle'), Math.min(ms, this.idleMs));
  }

  /** The failure that tripping stands for; undefined while all is well. */
  failure(): ModelFailure | undefined {
    switch (this.#why) {
      case 'total':
        return new ModelFailure(`The model did not finish its answer within ${String(this.totalMs)} ms.`, true);
      case 'idle':
        return new ModelFailure(`The model fell silent for ${String(this.idleMs)} ms in the middle of its answer.`, true);
      case 'caller':
        return new ModelFailure('The request to the model was stopped by the hub before the answer was whole.', true);
      default:
        return undefined;
    }
  }

  /** Ends the request whatever its state; safe to repeat. */
  close(): void {
    this.#trip('closed');
    clearTimeout(this.#total);
    this.#unlisten();
  }

  #trip(why: Why): void {
    clearTimeout(this.#idle);
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#controller.abort();
  }
}
