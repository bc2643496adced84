import type { ErrorCode } from '@bailing/plugin-api';
import { errorCatalogue } from '@bailing/plugin-api';
import type { Open } from '../ports/index.js';
import { executionOf, reconcile, type CallResult } from './result.js';

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
      /** The whole answer, where it is more than a sentence. */
      readonly answer?: CallResult;
    } = {},
  ) {
    super(reason);
  }

  get answer(): CallResult {
    if (this.more.answer) return this.more.answer;
    const row = errorCatalogue[this.code];
    const { status = 0, retryInMs } = this.more;
    const base = { ok: false, text: `${this.says || row.says} ${row.fix}`, status, code: this.code, sent: false };
    return retryInMs === undefined ? base : { ...base, retryInMs };
  }
}

/** Refused because of an unresolved write of the job: told in full shape, and audited under its own name (WIRE §3.4, rows 3 and 14). */
export function frozenBy(row: Open): Refusal {
  const { state, key, reason } = row;
  return new Refusal('BAILING_CALL_FROZEN', reason === '' ? 'unresolved' : reason, '', {
    event: 'tool_reconciliation_required',
    detail: { state, unresolved_tool: key.tool, idempotency_key: key.idem },
    answer: reconcile(executionOf(row), false, 'BAILING_CALL_FROZEN'),
  });
}

/** Two dispatched failures in a row end a tool's use in a job (WIRE §6.4). */
export function twiceFailed(tool: string): Refusal {
  return new Refusal('BAILING_TOOL_DISABLED_FOR_JOB', 'failed_twice', `${tool} failed twice in a row and is off for the rest of this job.`);
}
