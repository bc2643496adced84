import type { ErrorCode } from '@bailing/plugin-api';
import { errorCatalogue } from '@bailing/plugin-api';
import type { CallResult } from './result.js';

/** Thrown by a fence or gate; caught once, in `call`, audited and answered. Nothing was sent and nothing spent. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    /** The reason word for audit, stable. */
    readonly reason: string,
    /** One sentence about this case, for the brain. */
    readonly says: string,
    readonly more: {
      readonly status?: number;
      readonly retryInMs?: number;
      readonly detail?: Readonly<Record<string, unknown>>;
      readonly event?: string;
    } = {},
  ) {
    super(reason);
  }

  get answer(): CallResult {
    const row = errorCatalogue[this.code];
    const { status = 0, retryInMs } = this.more;
    const base = { ok: false, text: `${this.says || row.says} ${row.fix}`, status, code: this.code, sent: false };
    return retryInMs === undefined ? base : { ...base, retryInMs };
  }
}
