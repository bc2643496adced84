import { ACC_LIMITS, type AccDeclaration, type AccGuidance, type AccRisk, type AccSideEffect, type AccWindow } from './acc-declaration.js';
import { isRecord, lengthOf, type AccReader, type AccRecord } from './acc-reader.js';

const RISKS: readonly string[] = ['low', 'medium', 'high'] satisfies AccRisk[];
const WINDOWS: readonly string[] = ['1s', '1m', '1h', '1d'] satisfies AccWindow[];
const SIDE_EFFECTS: readonly string[] = ['none', 'read', 'write', 'notify', 'external'] satisfies AccSideEffect[];
/** The scope travels in `X-Bailing-Tool-Scope`, so it is printable ASCII; `*` belongs to allow lists. */
const SCOPE = /^[\x20-\x7e]+$/;

export function readScope(value: AccRecord, reader: AccReader): string {
  const raw = reader.own(value, 'scope');
  if (raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')) {
    reader.error(
      'missing_scope',
      raw === undefined ? '' : '/scope',
      'x-agent-capability has no scope.',
      'Name the capability with a dotted scope, such as order.read.',
    );
    return '';
  }
  if (typeof raw !== 'string') {
    reader.error('invalid_scope', '/scope', 'scope is not a string.', 'Write the scope as a dotted string, such as order.read.');
    return '';
  }
  const scope = raw.trim();
  if (lengthOf(scope) > ACC_LIMITS.scope)
    reader.error('invalid_scope', '/scope', `scope is longer than ${ACC_LIMITS.scope} characters.`, 'Shorten the scope.');
  else if (!SCOPE.test(scope))
    reader.error('invalid_scope', '/scope', 'scope has characters that a header cannot carry.', 'Use printable ASCII, such as order.read.');
  else if (scope.includes('*'))
    reader.error(
      'invalid_scope',
      '/scope',
      'scope has a wildcard; wildcards belong to the allow list of a route.',
      'Name one capability, such as order.read.',
    );
  return scope;
}

/** The declared level, or undefined where none is declared. Letter case does not matter (WIRE §5). */
export function readRisk(value: AccRecord, reader: AccReader): AccRisk | undefined {
  const risk = reader.own(value, 'risk');
  if (risk === undefined) return undefined;
  const level = isRecord(risk) ? reader.own(risk, 'level') : risk;
  if (isRecord(risk) && level === undefined) return undefined;
  if (isRecord(risk) && typeof level === 'string' && RISKS.includes(level.toLowerCase())) return level.toLowerCase() as AccRisk;
  reader.error(
    'invalid_risk',
    isRecord(risk) ? '/risk/level' : '/risk',
    'The risk level is not low, medium or high.',
    'Write `risk: { level: low }`, medium or high.',
  );
  return undefined;
}

export function readTimeout(execution: AccRecord, reader: AccReader): number {
  const raw = reader.own(execution, 'timeout_ms');
  if (raw === undefined) return 0;
  const suggestion = `Write an integer from 1 to ${ACC_LIMITS.timeoutMs} (milliseconds), or leave it out to inherit the provider's.`;
  if (typeof raw !== 'number')
    reader.error('invalid_timeout_type', '/execution/timeout_ms', 'execution.timeout_ms is not a number.', suggestion);
  else if (!Number.isInteger(raw) || raw < 1 || raw > ACC_LIMITS.timeoutMs)
    reader.error(
      'invalid_timeout',
      '/execution/timeout_ms',
      `execution.timeout_ms is not an integer from 1 to ${ACC_LIMITS.timeoutMs}.`,
      suggestion,
    );
  else return raw;
  return 0;
}

/** A malformed limit refuses the tool: ignoring it would run the tool without any limit. */
export function readRateLimit(execution: AccRecord, reader: AccReader): AccDeclaration['rateLimit'] {
  const raw = reader.own(execution, 'rate_limit');
  if (raw === undefined) return undefined;
  const at = '/execution/rate_limit';
  const suggestion = 'Write `rate_limit: { count: 10, window: 1m }` with a window of 1s, 1m, 1h or 1d.';
  if (!isRecord(raw)) {
    reader.error('invalid_rate_limit', at, 'execution.rate_limit is not an object.', suggestion);
    return undefined;
  }
  const count = reader.own(raw, 'count');
  const window = reader.own(raw, 'window');
  const countOk = typeof count === 'number' && Number.isSafeInteger(count) && count >= 1;
  const windowOk = typeof window === 'string' && WINDOWS.includes(window);
  if (!countOk) reader.error('invalid_rate_limit_count', `${at}/count`, 'rate_limit.count is not an integer of at least 1.', suggestion);
  if (!windowOk) reader.error('invalid_rate_limit_window', `${at}/window`, 'rate_limit.window is not 1s, 1m, 1h or 1d.', suggestion);
  return countOk && windowOk ? { count, window: window as AccWindow } : undefined;
}

export function readOutcome(value: AccRecord, reader: AccReader): AccDeclaration['outcome'] {
  const raw = reader.own(value, 'outcome');
  if (raw === undefined) return undefined;
  if (!isRecord(raw)) {
    reader.error(
      'invalid_outcome',
      '/outcome',
      'outcome is not an object.',
      'Write `outcome: { result: …, side_effect: write }`, or leave it out.',
    );
    return undefined;
  }
  const result = reader.own(raw, 'result');
  const sideEffect = reader.own(raw, 'side_effect');
  const resultOk = typeof result === 'string' && result !== '' && lengthOf(result) <= ACC_LIMITS.outcomeResult;
  const sideEffectOk = typeof sideEffect === 'string' && SIDE_EFFECTS.includes(sideEffect);
  if (!resultOk)
    reader.error(
      'invalid_outcome_result',
      '/outcome/result',
      `outcome.result is not a text of 1 to ${ACC_LIMITS.outcomeResult} characters.`,
      'Say in one sentence what the caller gets.',
    );
  if (!sideEffectOk)
    reader.error(
      'invalid_outcome_side_effect',
      '/outcome/side_effect',
      'outcome.side_effect is not one of none, read, write, notify, external.',
      `Choose one of ${SIDE_EFFECTS.join(', ')}.`,
    );
  return resultOk && sideEffectOk ? { result, sideEffect: sideEffect as AccSideEffect } : undefined;
}

export function readGuidance(guidance: AccRecord, reader: AccReader): AccGuidance {
  const whenToUse = guidanceText(guidance, 'when_to_use', reader);
  const returns = guidanceText(guidance, 'returns', reader);
  const examples = guidanceList(guidance, 'examples', 'invalid_guidance', ACC_LIMITS.examples, reader);
  const context = guidanceList(guidance, 'context', 'invalid_context', ACC_LIMITS.context, reader);
  const bad = context.findIndex((c) => typeof c !== 'string' || lengthOf(c) > ACC_LIMITS.contextEntry);
  if (bad >= 0)
    reader.error(
      'invalid_context',
      `/guidance/context/${bad}`,
      `A context label is not a text of at most ${ACC_LIMITS.contextEntry} characters.`,
      'Shorten the label.',
    );
  return {
    ...(whenToUse !== undefined && { whenToUse }),
    ...(returns !== undefined && { returns }),
    examples,
    context: bad < 0 ? (context as readonly string[]) : [],
  };
}

function guidanceText(guidance: AccRecord, name: string, reader: AccReader): string | undefined {
  const raw = reader.own(guidance, name);
  if (raw === undefined) return undefined;
  if (typeof raw === 'string' && lengthOf(raw) <= ACC_LIMITS.guidanceText) return raw;
  const says = `guidance.${name} is not a text of at most ${ACC_LIMITS.guidanceText} characters.`;
  reader.error('invalid_guidance', `/guidance/${name}`, says, 'Shorten it, or leave it out.');
  return undefined;
}

function guidanceList(guidance: AccRecord, name: string, code: string, max: number, reader: AccReader): readonly unknown[] {
  const raw = reader.own(guidance, name);
  if (raw === undefined) return [];
  if (Array.isArray(raw) && raw.length <= max) return raw;
  reader.error(
    code,
    `/guidance/${name}`,
    `guidance.${name} is not a list of at most ${max} entries.`,
    'Write a shorter list, or leave it out.',
  );
  return [];
}
