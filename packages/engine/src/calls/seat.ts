import type { View } from '../catalog/index.js';
import type { Holder } from '../ports/index.js';

/**
 * A brain's place in a job, minted by `jobs`: who holds the job, what it may see, for whom it acts. `call(seat, proposal)` is the
 * only way in.
 */
export interface Seat {
  readonly by: Holder;
  readonly job: {
    readonly id: string;
    readonly requestId: string;
    readonly route: string;
    /** `app_id`, or empty for an administrator's job. */
    readonly client: string;
    readonly source: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly view: View;
  /** Trusted subject per provider. */
  readonly subjects: ReadonlyMap<string, string>;
  /** Aborted when the job must stop: lease lost, deadline, shutdown. An attempt already dispatched is still settled. */
  readonly signal: AbortSignal;
  /** How long an identical write on its way is waited for, in milliseconds; absent: until its outcome is known or nobody will bring it. */
  readonly patienceMs?: number;
}

/** What a brain proposes. Text is parsed strictly; a value was parsed strictly by whoever read it. */
export interface Proposal {
  readonly tool: string;
  readonly arguments: string | { readonly value: unknown };
}
