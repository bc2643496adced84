import { canonicalJson, cancelFlag } from '@bailing/contract';
import type { Ticket } from '@bailing/plugin-api';
import type { Intent, Open, Recorded, Refused } from '../ports/index.js';
import type { CallDeps } from './deps.js';
import { isSend } from '../messages/index.js';
import { argsEvidence, callDetail, callLine } from './evidence.js';
import type { Prepared } from './prepared.js';
import { frozenBy, Refusal, twiceFailed } from './refusal.js';
import type { Seat } from './seat.js';
import { SENDS_BUCKET } from './steps.js';

export type Intended =
  | { readonly is: 'go'; readonly ticket: Ticket }
  | { readonly is: 'replay'; readonly was: Recorded }
  | { readonly is: 'wait'; readonly row: Open };

/**
 * The intend commit: lease, stops, budget, spends, journal and audit, all or nothing. If it fails, nothing was sent and nothing was spent.
 */
export async function intend(seat: Seat, prepared: Prepared, deps: CallDeps): Promise<Intended> {
  const intent = intentOf(seat, prepared, deps);
  let answer: Awaited<ReturnType<CallDeps['calls']['intendWrite']>>;
  try {
    answer = prepared.journalled
      ? await deps.calls.intendWrite({ ...intent, ...journalOf(prepared) })
      : await deps.calls.intendRead(intent);
  } catch (error) {
    deps.log.error('the intend commit failed; nothing was sent', { job: seat.job.id, tool: prepared.call.tool.name, error: String(error) });
    const code = prepared.journalled ? 'BAILING_JOURNAL_UNAVAILABLE' : 'BAILING_AUDIT_UNAVAILABLE';
    throw new Refusal(code, 'intend_commit_failed', '', { detail: { error: 'the store failed' } });
  }
  if (answer.is === 'go') {
    deps.observe(intent.line, prepared.call);
    return answer;
  }
  if (answer.is === 'replay') return answer;
  if (answer.is === 'in-flight') return { is: 'wait', row: answer.row };
  return refusedBy(answer, prepared.call.tool.name);
}

function intentOf(seat: Seat, { call, spends, maxCalls, frozen, journalled, key, provider, consume }: Prepared, deps: CallDeps): Intent {
  const detail = {
    ...callDetail(call, journalled ? key.idem : null),
    ...(!isSend(call.tool) && { signature_scheme: 'sha256=' }),
    request_digest: frozen.digest,
    ...(consume && { approval_id: consume.approval }),
    ...argsEvidence(call, provider),
  };
  return {
    by: seat.by,
    tool: call.tool.name,
    maxCalls,
    spends,
    stops: [
      cancelFlag(seat.job.id),
      'hub',
      `client:${seat.job.client}`,
      `route:${seat.job.route}`,
      `provider:${provider.name}`,
      `tool:${provider.name}/${call.tool.name}`,
      ...(isSend(call.tool) ? [`channel:${String(call.args.channel)}`] : []),
    ],
    timeoutMs: frozen.timeoutMs,
    ...(isSend(call.tool) && { uncounted: true }),
    line: callLine(call.tool, 'tool_call', { job: seat.job.id, requestId: seat.job.requestId }, deps.clock.now(), detail),
  };
}

function journalOf({ key, call, frozen, consume }: Prepared) {
  return {
    ...(consume && { consume }),
    key,
    scope: call.tool.scope,
    subject: call.subject,
    args: canonicalJson(call.args),
    digest: frozen.digest,
    provider: call.tool.provider,
    fingerprint: call.tool.fingerprint,
  };
}

function refusedBy(refused: Refused, tool: string): never {
  switch (refused.is) {
    case 'twice-failed':
      throw twiceFailed(tool);
    case 'lost-lease':
      throw new Refusal('BAILING_LEASE_LOST', 'lost_lease', '');
    case 'stopped':
      if (refused.what.startsWith(cancelFlag(''))) throw new Refusal('BAILING_JOB_CANCELLED', 'cancelled', '');
      throw new Refusal('BAILING_CALL_STOPPED', 'stopped', `Calls are stopped (${refused.what}).`, { detail: { stopped: refused.what } });
    case 'budget':
      throw new Refusal('BAILING_BUDGET_SPENT', 'budget_spent', `All ${String(refused.max)} calls of this job are used.`, {
        detail: { used: refused.used, max: refused.max },
      });
    case 'rate':
      if (refused.bucket.startsWith(SENDS_BUCKET)) throw new Refusal('BAILING_SEND_LIMIT', 'send_limit', '');
      throw new Refusal(
        'BAILING_RATE_LIMITED',
        'rate_limited',
        `The limit ${refused.bucket} is reached; free again in ${String(refused.retryInMs)} ms.`,
        {
          status: 429,
          retryInMs: refused.retryInMs,
          detail: { bucket: refused.bucket, retry_in_ms: refused.retryInMs },
        },
      );
    case 'approval-gone':
      throw new Refusal(refused.why === 'expired' ? 'BAILING_APPROVAL_EXPIRED' : 'BAILING_APPROVAL_VOID', `approval_${refused.why}`, '');
    case 'frozen':
      throw frozenBy(refused.row);
  }
}
