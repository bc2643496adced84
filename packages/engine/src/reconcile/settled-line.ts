import { line } from '../audit/index.js';
import type { Line, Unresolved } from '../ports/index.js';

/** What is said about an unknown write, and by whom. `unknown` leaves it as it is, with the remark in the ledger. */
export interface SettledWord {
  readonly verdict: 'applied' | 'not_applied' | 'unknown';
  readonly by: string;
  readonly evidence: string;
}

export function settledLine(row: Unresolved, { verdict, by, evidence }: SettledWord, now: number): Line {
  return line(
    verdict === 'unknown' ? 'tool_execution_left_unknown' : 'tool_execution_settled',
    { job: row.key.job, requestId: row.requestId },
    now,
    {
      ...{ execution_id: row.id, attempt: row.attempt, tool: row.key.tool, scope: row.scope, provider: row.provider },
      ...{ args_hash: row.key.argsHash, idempotency_key: row.key.idem, request_digest: row.digest, was: row.state },
      ...{ verdict, by, evidence: evidence.slice(0, 4_000) },
    },
  );
}
