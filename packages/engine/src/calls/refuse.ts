import type { GovernedCall } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import type { Granted } from '../catalog/index.js';
import type { CallDeps } from './deps.js';
import { argsEvidence, callDetail, callLine } from './evidence.js';
import { Refusal } from './refusal.js';
import type { CallResult } from './result.js';
import type { Proposal, Seat } from './seat.js';

/** What is known of a call by the time it is refused. */
export interface Trail {
  tool?: Granted;
  call?: GovernedCall;
  /** The approval whose frozen call this is. */
  readonly approval?: number;
}

export function asRefusal(error: unknown, seat: Seat, deps: CallDeps): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BailingError) return new Refusal(error.code, error.code.toLowerCase(), error.detail ?? '');
  deps.log.error('the exit failed before sending; the call is refused', { job: seat.job.id, error: String(error) });
  return new Refusal('BAILING_JOURNAL_UNAVAILABLE', 'exit_failed', '');
}

/** Refused calls are audited too (TRAPS 15). The refusal stands even when its audit line cannot be written. */
export async function refuse(seat: Seat, proposal: Proposal, trail: Trail, refusal: Refusal, deps: CallDeps): Promise<CallResult> {
  const about = trail.call
    ? { ...callDetail(trail.call, null), ...argsEvidence(trail.call, deps.settings().provider(trail.call.provider.name)) }
    : { tool: proposal.tool.slice(0, 64), scope: trail.tool?.tool.definition.scope ?? null };
  const of = { job: seat.job.id, requestId: seat.job.requestId };
  const tool = trail.call?.tool ?? trail.tool?.tool.definition ?? { provider: '', name: proposal.tool };
  const noted = callLine(tool, refusal.more.event ?? 'tool_blocked', of, deps.clock.now(), {
    ...about,
    ...(trail.approval !== undefined && { approval_id: trail.approval }),
    reason: refusal.reason,
    code: refusal.code,
    ...refusal.more.detail,
  });
  try {
    await deps.calls.refused(noted);
    deps.observe(noted, trail.call);
  } catch (error) {
    deps.log.error('a refusal could not be audited', { job: seat.job.id, code: refusal.code, error: String(error) });
  }
  const governance =
    refusal.code === 'BAILING_JOURNAL_UNAVAILABLE' ? { governance: { state: 'execution_journal_unavailable' } as const } : {};
  return { ...refusal.answer, ...governance };
}
