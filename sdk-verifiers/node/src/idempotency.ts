import type { GateResult } from './gate.js';

/** What is remembered of a first run. */
export interface StoredAnswer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

export type Claim =
  | { readonly is: 'new' }
  | { readonly is: 'answered'; readonly answer: StoredAnswer }
  | { readonly is: 'running' }
  | { readonly is: 'unknown' }
  | { readonly is: 'other-content' };

/** Where keys are remembered. `claim` must be atomic: of two at once exactly one is `new`. */
export interface IdempotencyStore {
  claim(key: string, content: string): Claim | Promise<Claim>;
  settle(key: string, answer: StoredAnswer): void | Promise<void>;
  /** The handler failed and may have done something: the key answers `unknown` until an operator releases it. */
  markUnknown(key: string): void | Promise<void>;
  /** Forgets a key, so that the call may run again. */
  release(key: string): void | Promise<void>;
}

/** Throw this from a handler that certainly did nothing: the key is released and the call may come again. */
export class NotApplied extends Error {
  constructor(message = 'Nothing was done.') {
    super(message);
    this.name = 'NotApplied';
  }
}

export interface OnceAnswer extends StoredAnswer {
  /** `first` and `repeated` carry the handler's answer, the others a refusal of ours. */
  readonly is: 'first' | 'repeated' | 'running' | 'unknown' | 'other-content' | 'no-key';
}

const REFUSED: Readonly<Record<'running' | 'unknown' | 'other-content' | 'no-key', { status: number; error: string; message: string }>> = {
  running: { status: 409, error: 'idempotency_running', message: 'The first call with this key still runs. Ask again when it has ended.' },
  unknown: {
    status: 409,
    error: 'idempotency_unknown',
    message: 'The first call with this key failed half way. A person must look at it.',
  },
  'other-content': {
    status: 422,
    error: 'idempotency_other_content',
    message: 'This key was used for another call. A new call needs a new key.',
  },
  'no-key': {
    status: 400,
    error: 'idempotency_key_missing',
    message: 'A write needs the header X-Bailing-Idempotency-Key (64 hex digits).',
  },
};

function refusal(is: keyof typeof REFUSED): OnceAnswer {
  const { status, error, message } = REFUSED[is];
  return { is, status, body: JSON.stringify({ error, message }) };
}

/**
 * Runs a handler once per idempotency key and gives the first answer again (SIGNING 36). The key is bound to the signed content, so the same
 * key with another call is refused. An exception is thrown on after the key was marked unknown (or released, for {@link NotApplied}).
 * Where the effect lives in one database, claim and settle inside its transaction: then a crash leaves nothing half done.
 */
export async function runOnce(
  store: IdempotencyStore,
  call: Pick<GateResult, 'idempotencyKey' | 'contentHash'>,
  handler: () => Promise<{ status: number; body: unknown }> | { status: number; body: unknown },
): Promise<OnceAnswer> {
  const key = call.idempotencyKey;
  if (key === '' || call.contentHash === '') return refusal('no-key');
  const claim = await store.claim(key, call.contentHash);
  if (claim.is === 'answered') return { is: 'repeated', ...claim.answer };
  if (claim.is !== 'new') return refusal(claim.is);
  try {
    const { status, body } = await handler();
    const answer = { status, body: JSON.stringify(body ?? null) };
    await store.settle(key, answer);
    return { is: 'first', ...answer };
  } catch (error) {
    await (error instanceof NotApplied ? store.release(key) : store.markUnknown(key));
    throw error;
  }
}

interface Row {
  readonly content: string;
  state: 'running' | 'unknown' | StoredAnswer;
  readonly at: number;
}

/** Remembers keys in this process. Answered rows leave after `ttlMs`, or when there are more than `limit`; unsettled ones stay. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #rows = new Map<string, Row>();
  readonly #ttlMs: number;
  readonly #limit: number;
  readonly #clock: () => number;

  constructor(options: { ttlMs?: number; limit?: number; clock?: () => number } = {}) {
    this.#ttlMs = options.ttlMs ?? 24 * 3600 * 1000;
    this.#limit = options.limit ?? 10_000;
    this.#clock = options.clock ?? Date.now;
  }

  claim(key: string, content: string): Claim {
    this.#sweep();
    const row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= this.#limit)
        throw new Error('The idempotency store is full of unsettled calls. Release them or use a database.');
      this.#rows.set(key, { content, state: 'running', at: this.#clock() });
      return { is: 'new' };
    }
    if (row.content !== content) return { is: 'other-content' };
    return typeof row.state === 'string' ? { is: row.state } : { is: 'answered', answer: row.state };
  }

  settle(key: string, answer: StoredAnswer): void {
    const row = this.#rows.get(key);
    if (row !== undefined) row.state = answer;
  }

  markUnknown(key: string): void {
    const row = this.#rows.get(key);
    if (row !== undefined) row.state = 'unknown';
  }

  release(key: string): void {
    this.#rows.delete(key);
  }

  #sweep(): void {
    const oldest = this.#clock() - this.#ttlMs;
    for (const [key, row] of this.#rows) {
      if (typeof row.state === 'string') continue;
      if (row.at > oldest && this.#rows.size < this.#limit) return;
      this.#rows.delete(key);
    }
  }
}
