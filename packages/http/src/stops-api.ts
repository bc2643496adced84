import type { StopFlag } from '@bailing/engine/ports';
import type { AdminCaller } from './hub-api.js';

/** Stop flags of operators: from the next intend commit on, calls that answer to one are refused. */
export interface StopsApi {
  /** Oldest first. */
  list(): Promise<readonly StopFlag[]>;
  /** @throws BAILING_REQUEST_MALFORMED where there is nothing of that name to stop */
  set(by: AdminCaller, what: string): Promise<void>;
  /** Clearing one that is not set changes nothing; answers whether it was set. */
  clear(by: AdminCaller, what: string): Promise<boolean>;
}
