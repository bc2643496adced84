/** Who has to act so that the same request can succeed. */
export type Blame = 'caller' | 'plugin' | 'operator' | 'business' | 'hub';
/** Whether sending the same request again can help: never, only under the same idempotency key, or later. */
export type Retry = 'never' | 'same-key' | 'later';

/** One row of the error catalogue. `says` and `fix` are sentences for people; programs branch on the code only. */
export interface ErrorEntry {
  /** HTTP status where the error answers a request. */
  readonly status: number;
  readonly blame: Blame;
  readonly retry: Retry;
  readonly says: string;
  readonly fix: string;
}

/** Keeps the literal codes as a type while checking every row; freezes all of them. */
export function entries<const T extends Readonly<Record<`BAILING_${string}`, ErrorEntry>>>(rows: T): T {
  for (const row of Object.values(rows)) Object.freeze(row);
  return Object.freeze(rows);
}
